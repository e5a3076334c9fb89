import { deepEqual, equal } from "node:assert/strict";
import { contains, ended, lacks, matches } from "../assertions.ts";
import type { MemoryTool } from "../memory-server.ts";
import type { Checks } from "../scenario.ts";
import { asking, hopNames } from "./results.ts";

const SECRET = "4111111111111111";
const CARD: MemoryTool = {
  answer: () => ({ content: [{ type: "text", text: `The card is ${SECRET}.` }] }),
};

/** Checks of the application's plugins in the stages of a call. */
export const pluginChecks = {
  "plugin/denies": async (run, open) => {
    const { host, servers } = await open(
      { bank: { a: { answer: () => asking("b") }, b: {} } },
      {
        use: [
          {
            name: "deny",
            authorize: ({ tool }) => (tool.name === "b" ? { deny: "closed" } : undefined),
          },
        ],
      },
    );
    const outcome = await run({ host, tool: "bank.a" });
    deepEqual(servers.bank.calls, ["a"]);
    ended(outcome, "denied");
  },

  "plugin/fails-closed": async (run, open) => {
    const fail = () => {
      throw new Error("a defect");
    };
    const { host, servers } = await open(
      { bank: { a: { answer: () => asking("b") }, b: {} } },
      {
        use: [{ name: "broken", authorize: ({ tool }) => (tool.name === "b" ? fail() : "allow") }],
      },
    );
    const outcome = await run({ host, tool: "bank.a" });
    deepEqual(servers.bank.calls, ["a"]);
    lacks(JSON.stringify(outcome.modelRead), "a defect");
  },

  "plugin/transforms": async (run, open) => {
    const { host } = await open(
      { bank: { a: CARD } },
      {
        use: [
          {
            name: "redact",
            wrapCall: async (call, next) =>
              JSON.parse(JSON.stringify(await next(call)).replaceAll(SECRET, "…")),
          },
        ],
      },
    );
    const outcome = await run({ host, tool: "bank.a" });
    lacks(JSON.stringify(outcome), SECRET);
    contains(JSON.stringify(outcome.modelRead), "The card is ….");
  },

  "plugin/answers": async (run, open) => {
    const { host, servers } = await open(
      { bank: { a: {} } },
      {
        use: [
          {
            name: "cache",
            wrapCall: async () => ({ content: [{ type: "text", text: "from the cache" }] }),
          },
        ],
      },
    );
    const outcome = await run({ host, tool: "bank.a" });
    equal(servers.bank.calls.length, 0);
    contains(JSON.stringify(outcome.modelRead), "from the cache");
  },

  "plugin/next-call": async (run, open) => {
    const { host, servers } = await open(
      { bank: { a: {}, b: {} } },
      {
        use: [
          {
            name: "then-b",
            nextCall: ({ tool }) =>
              tool === "a" ? { tool: "bank.b", arguments: { n: 1 } } : undefined,
          },
        ],
      },
    );
    const outcome = await run({ host, tool: "bank.a" });
    deepEqual(hopNames(outcome), ["bank.a", "bank.b"]);
    deepEqual(servers.bank.seen[1]?.arguments, { n: 1 });
    matches(outcome.hops[1]?.origin, { by: "chain", rule: "then-b" });
  },
} satisfies Checks<"chain">;
