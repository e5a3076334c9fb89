import { describe, expect, it } from "vitest";
import { ToolrailError } from "../src/index.ts";

describe("ToolrailError", () => {
  it("carries code, message, data and cause", () => {
    const cause = new Error("below");
    const error = new ToolrailError("protocol", "what, where, what to do", { data: 1, cause });
    expect(error).toMatchObject({ code: "protocol", message: "what, where, what to do", data: 1 });
    expect(error.cause).toBe(cause);
    expect(error).toBeInstanceOf(Error);
  });

  it("is written to JSON with its code and without its cause", () => {
    const error = new ToolrailError("timeout", "late", { cause: new Error("secret") });
    expect(JSON.parse(JSON.stringify(error))).toEqual({ code: "timeout", message: "late" });
  });

  it("is recognised when it comes from another copy of the package", () => {
    const foreign = Object.assign(new Error("x"), { [Symbol.for("toolrail.error")]: true });
    expect(ToolrailError.isInstance(foreign)).toBe(true);
    expect(ToolrailError.isInstance(new ToolrailError("aborted", "x"))).toBe(true);
  });

  it.each([null, undefined, "aborted", {}, new Error("x")])("does not recognise %s", (value) => {
    expect(ToolrailError.isInstance(value)).toBe(false);
  });
});
