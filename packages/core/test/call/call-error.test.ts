import { describe, expect, it } from "vitest";
import { toCallError } from "../../src/call/call-error.ts";
import { ToolrailError } from "../../src/index.ts";

const thrown = (code: unknown, data?: unknown, message = "what happened") =>
  Object.assign(new Error(message), { code, ...(data !== undefined && { data }) });

describe("toCallError", () => {
  it.each([
    ["a timeout of SDK v1", thrown(-32001, { timeout: 60_000 }), "timeout"],
    ["a total timeout of SDK v1", thrown(-32001, { maxTotalTimeout: 9 }), "timeout"],
    ["a timeout of SDK v2", thrown("REQUEST_TIMEOUT"), "timeout"],
    ["a server's own -32001", thrown(-32001, { resource: "x" }), "protocol"],
    [
      "a closed connection of SDK v1",
      thrown(-32000, undefined, "MCP error -32000: Connection closed"),
      "connection",
    ],
    ["a server's own -32000", thrown(-32000), "protocol"],
    ["a protocol error", thrown(-32602), "protocol"],
    ["an error of the system", thrown("ECONNREFUSED"), "connection"],
    ["an error without a code", new Error("fetch failed"), "connection"],
    ["a text", "gone", "connection"],
    ["nothing", undefined, "connection"],
  ])("tells %s", (_, cause, code) => {
    expect(toCallError(cause, { what: "The call of bank.a" })).toMatchObject({ code });
  });

  it("describes what was thrown if that has no message", () => {
    expect(toCallError(new TypeError(), { what: "The call of bank.a" }).message).toContain(
      "TypeError",
    );
  });

  it.each([
    ["MCP error -32602: MCP error -32602: no such row", "MCP error -32602: no such row"],
    ["refused: refused: refused: not today", "refused: not today"],
    ["10:10: a clock", "10:10: a clock"],
  ])("gives once what a client and a server both say: %s", (message, once) => {
    const { message: told } = toCallError(thrown(-32602, undefined, message), { what: "It" });
    expect(told).toBe(`It was rejected by the server: ${once}`);
  });

  it("says once what the cause of an error repeats", () => {
    const cause = new Error("connect ECONNREFUSED");
    const error = new Error("fetch failed: connect ECONNREFUSED", { cause });
    const { message } = toCallError(error, { what: "It" });
    expect(message.match(/ECONNREFUSED/g)).toHaveLength(1);
  });

  it("treats everything as an abort once the signal is aborted, with its reason", () => {
    const signal = AbortSignal.abort("enough");
    const error = toCallError(thrown(-32602), { what: "The call of bank.a", signal });
    expect(error).toMatchObject({ code: "aborted", cause: "enough" });
  });

  it("keeps the code of an error of our own", () => {
    const cause = new ToolrailError("timeout", "No answer.");
    expect(toCallError(cause, { what: "The call of bank.a" })).toMatchObject({
      code: "timeout",
      message: "The call of bank.a: No answer.",
    });
  });
});
