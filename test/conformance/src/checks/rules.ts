import { deepEqual, equal } from "node:assert/strict";
import { audience } from "@toolrail/core";
import { type CallRule, rules } from "@toolrail/core/rules";
import { ended, lacks, matches, reported } from "../assertions.ts";
import type { MemoryTool } from "../memory-server.ts";
import type { Checks } from "../scenario.ts";
import { asking, failing, hopNames } from "./results.ts";

const LOCKED: MemoryTool = {
  answer: () => ({ content: [], structuredContent: { id: "a1", n: 1 } }),
};
const HANDOFF: CallRule = {
  name: "locked",
  after: "crm.*",
  when: { structured: { properties: { n: { const: 1 } } } },
  next: { tool: "desk.handoff", arguments: { account: { $ref: "structured.id" } } },
};

/** Creates a CRM with given tools, and a desk. */
const servers = (crm: Readonly<Record<string, MemoryTool>> = { a: LOCKED }) => {
  return { crm, desk: { handoff: {}, audit: {} } };
};

export const ruleChecks = {
  "rule/invokes": async (run, open) => {
    const { host, servers: made } = await open(servers(), { use: [rules([HANDOFF])] });
    const outcome = await run({ host, tool: "crm.a" });
    deepEqual(made.desk.seen[0]?.arguments, { account: "a1" });
    deepEqual(hopNames(outcome), ["crm.a", "desk.handoff"]);
    matches(outcome.hops[1]?.origin, { by: "chain", rule: "locked", depth: 1 });
    ended(outcome, "complete");
  },

  "rule/server-first": async (run, open) => {
    const crm = { a: { answer: () => asking("b") }, b: {} };
    const first = { ...HANDOFF, when: () => true, overrides: true };
    for (const [rule, expected] of [
      [{ ...HANDOFF, when: () => true }, ["crm.a", "crm.b", "desk.handoff"]],
      [first, ["crm.a", "desk.handoff"]],
      [{ ...first, next: false }, ["crm.a"]],
    ] as const) {
      const { host } = await open(servers(crm), {
        use: [
          rules([{ ...rule, ...(rule.next && { next: { tool: "desk.handoff" } }) } as CallRule]),
        ],
      });
      deepEqual(hopNames(await run({ host, tool: "crm.a" })), expected);
    }
  },

  "rule/error": async (run, open) => {
    for (const [on, called] of [
      ["ok", []],
      ["error", ["audit"]],
    ] as const) {
      const use = [rules([{ after: "crm.a", on, next: { tool: "desk.audit" } }])];
      const { host, servers: made } = await open(servers({ a: failing("locked") }), { use });
      await run({ host, tool: "crm.a" });
      deepEqual(made.desk.calls, called);
    }
  },

  "rule/failed": async (run, open) => {
    const next = { tool: "desk.handoff", arguments: { account: { $ref: "structured.nothing" } } };
    const { host, servers: made } = await open(servers(), {
      use: [rules([{ after: "crm.*", next }])],
    });
    const outcome = await run({ host, tool: "crm.a" });
    deepEqual([hopNames(outcome), made.desk.calls], [["crm.a"], []]);
    ended(outcome, "malformed");
    equal(outcome.isError, true);
  },

  "rule/loop": async (run, open) => {
    const a: MemoryTool = {
      answer: ({ arguments: { n = 0 } }) => ({
        content: [],
        // The number stops growing long after the depth limit, so that a run without a limit ends too.
        structuredContent: { n: Math.min(Number(n) + 1, 20) },
      }),
    };
    const next = { tool: "crm.a", arguments: { n: { $ref: "structured.n" } } };
    const { host, servers: made } = await open(servers({ a }), {
      use: [rules([{ after: "crm.a", next }])],
    });
    const outcome = await run({ host, tool: "crm.a" });
    equal(made.crm.calls.length, 5);
    ended(outcome, "depth-limit");
  },

  "rule/approval": async (run, open) => {
    const { host, servers: made } = await open(servers(), {
      use: [rules([HANDOFF])],
      authorize: ({ origin }) => (origin.by === "chain" && origin.rule ? "ask" : "allow"),
    });
    const paused = await run({ host, tool: "crm.a" });
    deepEqual(made.desk.calls, []);
    const outcome = await reported(paused.resume, "resume")("approve");
    deepEqual([hopNames(outcome), made.desk.calls], [["crm.a", "desk.handoff"], ["handoff"]]);
  },

  "view/operator-audience": async (run, open) => {
    const { host } = await open(servers(), { use: [audience({ tools: { "crm.*": ["user"] } })] });
    const outcome = await run({ host, tool: "crm.a" });
    lacks(JSON.stringify(outcome.modelRead), "a1");
  },
} satisfies Checks<"chain">;
