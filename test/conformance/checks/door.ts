import type { ToolCall } from "@toolrail/core";
import { expect } from "vitest";
import { asking } from "../../../packages/core/test/servers.ts";
import type { Check } from "../harness.ts";
import { expectEnded, hopNames, openScenario, readText } from "../scenario.ts";

const NUMBER = { type: "object", properties: { n: { type: "number" } }, required: ["n"] };
const CHAIN = { bank: { a: { answer: () => asking("b") }, b: {} } };

/** A policy that treats one tool of the bank in its own way. */
function policyFor<Answer>(tool: string, answer: Answer) {
  return (call: ToolCall) => (call.tool.name === tool ? answer : "allow");
}

/** What stands between a decision and a server, for a model's call and for a hop alike. */
export const doorChecks = {
  "chain/authorizes": async (run) => {
    const asked: ToolCall[] = [];
    const { host } = await openScenario(CHAIN, {
      authorize: (call) => {
        asked.push(call);
        return "allow";
      },
    });
    const outcome = await run({ host, tool: "bank.a" });
    const hop = asked.find((call) => call.tool.name === "b");
    expect(hop?.origin).toEqual({ by: "chain", causedBy: outcome.hops[0]?.callId, depth: 1 });
  },

  "chain/denied": async (run) => {
    const { host, servers } = await openScenario(CHAIN, {
      authorize: policyFor("b", { deny: "not today" } as const),
    });
    const outcome = await run({ host, tool: "bank.a" });
    expect(servers.bank.calls).toEqual(["a"]);
    expect(hopNames(outcome)).toEqual(["bank.a"]);
    expectEnded(outcome, "denied");
  },

  "chain/early-end": async (run) => {
    const { host } = await openScenario(CHAIN, {
      authorize: policyFor("b", { deny: "not today" } as const),
    });
    const outcome = await run({ host, tool: "bank.a" });
    expect(outcome.isError).toBe(true);
    expect(readText(outcome)).toContain("not today");
    expect(readText(outcome)).toContain("more to come");
  },

  "approval/pending": async (run) => {
    const { host, servers } = await openScenario(CHAIN, {
      authorize: policyFor("b", "ask" as const),
    });
    const outcome = await run({ host, tool: "bank.a" });
    expect(servers.bank.calls).toEqual(["a"]);
    expect(hopNames(outcome)).toEqual(["bank.a"]);
    expectEnded(outcome, "needs-approval");
  },

  "approval/resume": async (run) => {
    const { host, servers } = await openScenario(CHAIN, {
      authorize: policyFor("b", "ask" as const),
    });
    const paused = await run({ host, tool: "bank.a" });
    const outcome = await paused.resume?.("approve");
    expect(servers.bank.calls).toEqual(["a", "b"]);
    expect(outcome && hopNames(outcome)).toEqual(["bank.a", "bank.b"]);
    if (outcome) expectEnded(outcome, "complete");
  },

  "approval/deny": async (run) => {
    const { host, servers } = await openScenario(CHAIN, {
      authorize: policyFor("b", "ask" as const),
    });
    const paused = await run({ host, tool: "bank.a" });
    const outcome = await paused.resume?.({ deny: "the customer said no" });
    expect(servers.bank.calls).toEqual(["a"]);
    expect(outcome && hopNames(outcome)).toEqual(["bank.a"]);
    if (outcome) expectEnded(outcome, "denied");
  },

  "door/arguments": async (run) => {
    const { host, servers } = await openScenario({
      bank: { a: { definition: { inputSchema: NUMBER } } },
    });
    const outcome = await run({ host, tool: "bank.a", arguments: { n: "one" } });
    expect(servers.bank.calls).toEqual([]);
    expect(outcome.hops).toEqual([]);
    expectEnded(outcome, "invalid-arguments");
    expect(outcome.isError).toBe(true);
    expect(readText(outcome)).toContain("/n");
  },

  "door/app-only": async (run) => {
    const { host, servers } = await openScenario({
      bank: { a: { definition: { _meta: { ui: { visibility: ["app"] } } } }, b: {} },
    });
    const outcome = await run({ host, tool: "bank.a" });
    expect(servers.bank.calls).toEqual([]);
    expect(outcome.isError).toBe(true);
  },

  "door/not-allowed": async (run) => {
    const { host, servers } = await openScenario({ bank: { a: {}, b: {} } }, { allow: ["bank.b"] });
    const outcome = await run({ host, tool: "bank.a" });
    expect(servers.bank.calls).toEqual([]);
    expect(outcome.isError).toBe(true);
  },

  "door/denied": async (run) => {
    const { host, servers } = await openScenario(CHAIN, {
      authorize: () => ({ deny: "closed on Sundays" }),
    });
    const outcome = await run({ host, tool: "bank.a" });
    expect(servers.bank.calls).toEqual([]);
    expectEnded(outcome, "denied");
    expect(readText(outcome)).toContain("closed on Sundays");
  },

  "door/origin": async (run) => {
    const origins: string[] = [];
    const { host } = await openScenario(CHAIN, {
      authorize: ({ origin }) => {
        origins.push(origin.by);
        return "allow";
      },
    });
    await run({ host, tool: "bank.a" });
    expect(origins[0]).toBe("model");
    expect(origins.at(-1)).toBe("chain");
  },

  "door/protocol-error": async (run) => {
    const { host } = await openScenario({
      bank: { a: { answer: () => Promise.reject(new Error("out of order")) } },
    });
    const outcome = await run({ host, tool: "bank.a" });
    expect(outcome.isError).toBe(true);
    expect(outcome.hops).toEqual([]);
    expectEnded(outcome, "failed");
    expect(readText(outcome)).toContain("out of order");
  },

  "door/bad-output": async (run) => {
    const { host } = await openScenario({
      bank: {
        a: {
          definition: { outputSchema: NUMBER },
          answer: () => ({
            content: [{ type: "text", text: "one" }],
            structuredContent: { n: "one" },
          }),
        },
      },
    });
    const outcome = await run({ host, tool: "bank.a" });
    expect(outcome.hops[0]?.result.structuredContent).toEqual({ n: "one" });
    expect(outcome.hops[0]?.output.status).toBe("invalid");
  },

  "door/request-meta": async (run) => {
    const { host, servers } = await openScenario(CHAIN, {
      requestMeta: ({ method }) =>
        method === "tools/call" ? { "org.example/user": "u1" } : undefined,
    });
    await run({ host, tool: "bank.a", arguments: { _meta: { "org.example/user": "u2" } } });
    expect(servers.bank.seen.map((call) => call._meta?.["org.example/user"])).toEqual(["u1", "u1"]);
  },
} satisfies Record<string, Check<"chain">>;
