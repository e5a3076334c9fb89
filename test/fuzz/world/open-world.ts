import { setImmediate } from "node:timers/promises";
import { createHost, type Host, type McpPort, type Store } from "@toolrail/core";
import { rules } from "@toolrail/core/rules";
import { replaceClock } from "../../../packages/core/test/replace-clock.ts";
import { answer, dice, META_ONLY } from "./answers.ts";
import { callKey, type Ledger, type MadeCall } from "./ledger.ts";
import { ruleOn } from "./policy.ts";
import { sharedValidator } from "./shared-validator.ts";
import { idOf, type ToolPlan, type World } from "./tool-plan.ts";

export interface WorldOptions {
  readonly ledger: Ledger;
  /** Where the process of the host may be lost. */
  readonly life?: { onCall(): void };
  /** Told of each call when it reaches its server. */
  readonly onCall?: (call: MadeCall) => void;
  readonly store?: Store;
}

const SECRET = "one secret for all processes of a run";

/** A host over the servers of a world. Its clock stands still, so that runs can be compared as they are. */
export function openWorld(world: World, options: WorldOptions): Promise<Host> {
  const { ledger, store } = options;
  replaceClock(() => 1_800_000_000_000);
  const byId = new Map(world.tools.map((plan) => [idOf(plan), plan]));
  const servers = [...new Set(world.tools.map(({ server }) => server))];
  return createHost({
    servers: Object.fromEntries(servers.map((name) => [name, serve(world, name, options)])),
    allow: ({ id }) => byId.get(id)?.place !== "forbidden",
    authorize({ tool, arguments: args }) {
      const plan = byId.get(tool.id);
      const call = { tool: tool.id, arguments: args };
      ledger.authorized.push(callKey(call));
      const rule = plan ? ruleOn(plan, call) : "deny";
      return rule === "deny" ? { deny: "the policy forbids it" } : rule;
    },
    ...(store && { store }),
    secret: SECRET,
    validator: sharedValidator,
    use: [
      { name: "listener", onHop: () => {} }, // Somebody shows the user what is for the user.
      ...(world.crosses ? [rules([{ after: "desk.*", reaches: "lab.*" }])] : []),
    ],
  });
}

function serve(world: World, server: string, { ledger, life, onCall }: WorldOptions): McpPort {
  const own = world.tools.filter((plan) => plan.server === server);
  return {
    list: async () => ({ tools: own.map(toDefinition) }),
    async call({ name, arguments: args }) {
      const plan = own.find((one) => one.name === name);
      const call = { tool: `${server}.${name}`, arguments: structuredClone(args) };
      if (!plan) throw new Error(`There is no ${name}.`);
      life?.onCall();
      const key = callKey(call);
      if (ledger.isOver) ledger.offences.push(`made when all was over: ${key}`);
      if (ledger.isAborted) ledger.offences.push(`made after the abort: ${key}`);
      if (ledger.finished.has(key)) ledger.offences.push(`finished, and made again: ${key}`);
      ledger.calls.push(call);
      onCall?.(call);
      for (let turns = dice([key, "turns"], 3); turns > 0; turns--) await setImmediate();
      return answer(plan, args, world);
    },
  };
}

const VALUE = { type: "object", properties: { v: { type: "string" } }, required: ["v"] };

function toDefinition({ name, isTyped, says, place }: ToolPlan) {
  const properties = { at: { type: "string" }, v: {}, w: { type: "string" } };
  return {
    name,
    inputSchema: isTyped
      ? { type: "object", properties, required: ["at"], additionalProperties: false }
      : { type: "object", properties: { at: { type: "string" } }, required: ["at"] },
    ...((says === "untrue" || (isTyped && says === "json")) && { outputSchema: VALUE }),
    _meta: { own: META_ONLY, ...(place === "app-only" && { ui: { visibility: ["app"] } }) },
  };
}
