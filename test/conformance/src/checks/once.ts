import { deepEqual, equal } from "node:assert/strict";
import type { Hop, ToolCall } from "@toolrail/core";
import { reported } from "../assertions.ts";
import type { Checks } from "../scenario.ts";
import { asking, group, nested } from "./results.ts";

/** A bank whose first call asks for the second. */
const CHAIN = { bank: { a: { answer: () => asking("b") }, b: {} } };

/** A pipe with steps of every kind, each with a different tool. */
const PIPE = {
  steps: [
    { id: "one", tool: "a" },
    group("two", { id: "x", tool: "c" }, { id: "y", tool: "d" }),
    nested("three", { steps: [{ id: "z", tool: "e" }] }),
  ],
};
const TOOLS = { web: { a: {}, c: {}, d: {}, e: {} } };
const ALL = ["web.a", "web.c", "web.d", "web.e"];

function recordAsked() {
  const asked: string[] = [];
  const authorize = (call: ToolCall) => {
    asked.push(call.tool.id);
    return "allow" as const;
  };
  return { asked, authorize };
}

/** Creates a listener that records the tools of its calls. */
function recordHops() {
  const hops: string[] = [];
  return {
    hops,
    onHop: ({ hop }: { readonly hop: Hop }) => void hops.push(`${hop.server}.${hop.tool}`),
  };
}

/** Checks of actions that must happen once for each call of a chain. */
export const onceInChainChecks = {
  "chain/authorizes": async (run, open) => {
    const { asked, authorize } = recordAsked();
    const { host } = await open(CHAIN, { authorize });
    await run({ host, tool: "bank.a" });
    deepEqual([...new Set(asked)], ["bank.a", "bank.b"]);
  },

  "chain/told-once": async (run, open) => {
    const { hops, onHop } = recordHops();
    const { host } = await open(CHAIN, { use: [{ name: "listener", onHop }] });
    await run({ host, tool: "bank.a" });
    deepEqual(hops, ["bank.a", "bank.b"]);
  },

  "chain/listener-once": async (run, open) => {
    const { host } = await open(CHAIN);
    const outcome = await run({ host, tool: "bank.a" });
    const told = reported(outcome.told, "told");
    deepEqual(
      told.map(({ callId }) => callId),
      outcome.hops.map(({ callId }) => callId),
    );
    equal(told.length, 2);
  },
} satisfies Checks<"chain">;

/** Checks of actions that must happen once for each call of a pipe. */
export const onceInPipeChecks = {
  "pipe/authorizes": async (run, open) => {
    const { asked, authorize } = recordAsked();
    const { host } = await open(TOOLS, { authorize });
    await run({ host, spec: PIPE });
    deepEqual([...new Set(asked)].sort(), ALL);
  },

  "pipe/told-once": async (run, open) => {
    const { hops, onHop } = recordHops();
    const { host } = await open(TOOLS, { use: [{ name: "listener", onHop }] });
    await run({ host, spec: PIPE });
    deepEqual(hops.sort(), ALL);
  },
} satisfies Checks<"pipe">;
