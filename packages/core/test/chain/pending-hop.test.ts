import { describe, expect, it } from "vitest";
import { isPendingHop, type PendingHop, pendingHopProblem } from "../../src/adapter.ts";

const TICKET: PendingHop = {
  id: "hop-1",
  runId: "run-1",
  root: "call-1",
  key: "thread-1",
  call: {
    server: "bank",
    tool: "b",
    arguments: { n: 1, of: { x: 1, y: 2 } },
    origin: { by: "chain", causedBy: "call-1", after: "bank.a", depth: 1 },
  },
  seen: ["0123456789abcdef"],
  expiresAtMs: 1_000,
};
const B = { server: "bank", name: "b", arguments: { of: { y: 2, x: 1 }, n: 1 } };

describe("pendingHopProblem", () => {
  it("lets the call of the pending hop pass until it expires, in any order of keys", () => {
    expect(pendingHopProblem(TICKET, { ...B, nowMs: 999 })).toBeUndefined();
  });

  it.each([
    ["other arguments", { ...B, arguments: { n: 2 } }, "its arguments are not those"],
    ["another tool", { ...B, name: "c" }, "another call"],
    ["another server", { ...B, server: "docs" }, "another call"],
  ])("refuses a call with %s, and says which it is", (_, call, why) => {
    expect(pendingHopProblem(TICKET, { ...call, nowMs: 0 })).toMatchObject({
      code: "unknown-hop",
      message: expect.stringContaining(why),
    });
  });

  it("refuses a call that is no pending hop, and names no option, since a model reads why", () => {
    expect(pendingHopProblem(undefined, { ...B, nowMs: 0 })).toMatchObject({
      code: "unknown-hop",
      message: expect.stringMatching(/^(?!.*(`store`|limits\.)).*no result asks for it/),
    });
  });

  it("refuses an expired pending hop", () => {
    expect(pendingHopProblem(TICKET, { ...B, nowMs: 1_000 })).toMatchObject({
      code: "unknown-hop",
    });
  });
});

describe("isPendingHop", () => {
  it("knows a pending hop that was kept as JSON", () => {
    expect(isPendingHop(JSON.parse(JSON.stringify(TICKET)))).toBe(true);
  });

  it.each([undefined, null, "hop-1", [], { id: "hop-1" }, { ...TICKET, call: { tool: "b" } }])(
    "does not take %j for a pending hop",
    (value) => {
      expect(isPendingHop(value)).toBe(false);
    },
  );
});
