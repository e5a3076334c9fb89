import { describe, expect, it } from "vitest";
import { SessionLost, toCallError } from "../../src/call/call-error.ts";
import { ToolrailError } from "../../src/index.ts";

const CALL = { what: "The call of bank.a", server: "bank" };

const thrown = (code: unknown, data?: unknown, message = "what happened") =>
  Object.assign(new Error(message), { code, ...(data !== undefined && { data }) });

describe("toCallError", () => {
  it.each([
    ["a timeout of SDK v1", thrown(-32001, { timeout: 60_000 }), "outcome-unknown"],
    ["a total timeout of SDK v1", thrown(-32001, { maxTotalTimeout: 9 }), "outcome-unknown"],
    ["a timeout of SDK v2", thrown("REQUEST_TIMEOUT"), "outcome-unknown"],
    ["a server's own -32001", thrown(-32001, { resource: "x" }), "protocol"],
    [
      "a closed connection of SDK v1",
      thrown(-32000, undefined, "MCP error -32000: Connection closed"),
      "outcome-unknown",
    ],
    ["a server's own -32000", thrown(-32000), "protocol"],
    ["a protocol error", thrown(-32602), "protocol"],
    ["a status", Object.assign(new Error("busy"), { status: 503 }), "outcome-unknown"],
    ["a status of SDK v1", thrown(503, undefined, "Streamable HTTP error: x"), "outcome-unknown"],
    ["a status 401", Object.assign(new Error("who?"), { statusCode: 401 }), "needs-sign-in"],
    ["a forgotten session", new SessionLost("404"), "server-unavailable"],
    ["an abort by a client", new DOMException("closed", "AbortError"), "outcome-unknown"],
    ["an error without a code", new Error("fetch failed"), "outcome-unknown"],
    ["a text", "gone", "outcome-unknown"],
    ["nothing", undefined, "outcome-unknown"],
  ])("tells %s", (_, cause, code) => {
    expect(toCallError(cause, CALL)).toMatchObject({ code });
  });

  it.each([
    ["ECONNREFUSED", "server-unavailable"],
    ["ENOTFOUND", "server-unavailable"],
    ["EAI_AGAIN", "server-unavailable"],
    ["UND_ERR_CONNECT_TIMEOUT", "server-unavailable"],
    ["ECONNRESET", "outcome-unknown"],
    ["EPIPE", "outcome-unknown"],
    ["ETIMEDOUT", "outcome-unknown"],
    ["EHOSTUNREACH", "outcome-unknown"],
    ["ERR_HTTP2_STREAM_ERROR", "outcome-unknown"],
    ["ERR_STREAM_PREMATURE_CLOSE", "outcome-unknown"],
    ["UND_ERR_BODY_TIMEOUT", "outcome-unknown"],
    ["CERT_HAS_EXPIRED", "outcome-unknown"],
  ])("knows what the code %s of a socket leaves open, wherever it stands", (code, expected) => {
    const cause = thrown(code);
    const both = new AggregateError([cause], "");
    for (const error of [cause, new Error("fetch failed", { cause: both })]) {
      expect(toCallError(error, CALL)).toMatchObject({ code: expected });
    }
  });

  it("knows that nothing was sent if the connection was never made", () => {
    const cause = Object.assign(thrown("EHOSTUNREACH"), { syscall: "connect" });
    const error = toCallError(new Error("fetch failed", { cause }), CALL);
    expect(error.code).toBe("server-unavailable");
  });

  it("describes what was thrown if that has no message", () => {
    expect(toCallError(new TypeError(), CALL).message).toContain("TypeError");
  });

  it.each([
    ["MCP error -32602: MCP error -32602: no such row", "MCP error -32602: no such row"],
    ["refused: refused: refused: not today", "refused: not today"],
    ["10:10: a clock", "10:10: a clock"],
  ])("gives once what a client and a server both say: %s", (message, once) => {
    const { message: told } = toCallError(thrown(-32602, undefined, message), {
      what: "It",
      server: "bank",
    });
    expect(told).toBe(`It was rejected by the server: ${once}`);
  });

  it("says once what the cause of an error repeats", () => {
    const cause = new Error("connect ECONNREFUSED");
    const error = new Error("fetch failed: connect ECONNREFUSED", { cause });
    const { message } = toCallError(error, { what: "It", server: "bank" });
    expect(message.match(/ECONNREFUSED/g)).toHaveLength(1);
  });

  it("treats everything as an abort once the signal is aborted, with its reason", () => {
    const signal = AbortSignal.abort("enough");
    const error = toCallError(thrown(-32602), { ...CALL, signal });
    expect(error).toMatchObject({ code: "aborted", cause: "enough" });
  });

  it("keeps the code of an error of our own, but of a timeout: the call may have been executed", () => {
    const codes = ["invalid-options", "timeout"] as const;
    const told = codes.map((code) => toCallError(new ToolrailError(code, "No answer."), CALL).code);
    expect(told).toEqual(["invalid-options", "outcome-unknown"]);
  });

  it("knows no outcome once the time of its run is up", () => {
    const signal = AbortSignal.abort(new ToolrailError("timeout", "The run took too long."));
    expect(toCallError(signal.reason, { ...CALL, signal }).code).toBe("outcome-unknown");
  });

  it("gives the first line of the innermost cause", () => {
    const inner = new Error("certificate has expired\nat somewhere");
    const error = new Error("fetch failed", { cause: new Error("outer", { cause: inner }) });
    const { message } = toCallError(error, CALL);
    expect(message).toContain("fetch failed (certificate has expired)");
  });
});
