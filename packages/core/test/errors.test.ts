import { describe, expect, it } from "vitest";
import { ToolrailError } from "../src/index.ts";

describe("ToolrailError", () => {
  it("An error carries code, message, data and cause.", () => {
    const cause = new Error("below");
    const data = { code: 1 };
    const error = new ToolrailError("protocol", "what, where, what to do", { data, cause });
    expect(error).toMatchObject({ code: "protocol", message: "what, where, what to do", data });
    expect(error.cause).toBe(cause);
    expect(error).toBeInstanceOf(Error);
  });

  it("An error is written to JSON with its code and without its cause.", () => {
    const error = new ToolrailError("timeout", "late", { cause: new Error("secret") });
    expect(JSON.parse(JSON.stringify(error))).toEqual({ code: "timeout", message: "late" });
  });

  it("An error of another copy of the package is recognised.", () => {
    const foreign = Object.assign(new Error("x"), { [Symbol.for("toolrail.error")]: true });
    expect(ToolrailError.isInstance(foreign)).toBe(true);
    expect(ToolrailError.isInstance(new ToolrailError("aborted", "x"))).toBe(true);
  });

  it.each([null, undefined, "aborted", {}, new Error("x")])(
    "The value %s is not recognised.",
    (value) => {
      expect(ToolrailError.isInstance(value)).toBe(false);
    },
  );

  it("An error is recognised by its code, and `data` then has the type of that code.", () => {
    const error: unknown = new ToolrailError("protocol", "x", { data: { code: -32_000 } });
    expect(ToolrailError.isInstance(error, "timeout")).toBe(false);
    if (!ToolrailError.isInstance(error, "protocol")) throw error;
    expect(error.data?.code.toFixed()).toBe("-32000");
  });
});
