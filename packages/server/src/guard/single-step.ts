import { type Host, type Tool, userView } from "@toolrail/core";
import { createOptionCheck, offeredTools } from "@toolrail/core/adapter";
import {
  createSingleStep,
  type GuardOutcome,
  openQuery,
  outcomeText,
  type QueryState,
  type SingleStep,
  type SingleStepOptions,
} from "@toolrail/guard";
import { GUARD_OPTIONS, keepResult, outcomeView } from "@toolrail/guard/adapter";
import type { JsonObject } from "@toolrail/json";
import { NO_ANSWER, type OfferedCall, type OfferedTool, textResult } from "../offer.ts";
import { toListed } from "../offer-chains.ts";
import type { ServedCalls } from "../serve-host.ts";

const checkOptions = /* @__PURE__ */ createOptionCheck<SingleStepOptions>(
  "singleStep",
  GUARD_OPTIONS,
);

/**
 * Allows one call for each query, under guard: `serveHost(server, host, { guard: singleStep({ allow }) })`. Only the tools of the
 * operator's list are offered, no `nextTool` is followed, and a client receives only results that the tool's schema accepts.
 * Since MCP has no queries, requests with the same `_meta["toolrail/query"]` in a conversation are one query. Without it, each
 * request is a query.
 */
export function singleStep(options: SingleStepOptions): ServedCalls<"guard"> {
  checkOptions(options);
  return {
    kind: "guard",
    offer(host, tools) {
      const guard = createSingleStep(host, options);
      const offered = () => {
        const allowed = new Set(guard.tools);
        return offeredTools(host, tools).filter((tool) => allowed.has(tool));
      };
      return {
        list: () => offered().map(toListed),
        find(name) {
          const tool = offered().find(({ modelName }) => modelName === name);
          return tool && offerTool(guard, tool);
        },
      };
    },
  };
}

function offerTool(guard: SingleStep, tool: Tool): OfferedTool {
  const { host } = guard;
  return {
    async begin(call) {
      const id = readQueryId(call);
      if (id === null) return { result: textResult(NO_QUERY, true) };
      const query = guard.startQuery(id === undefined ? undefined : openQuery(id));
      const outcome = await query.call({ tool, arguments: call.arguments }, call.options);
      if (outcome.verdict !== "ask") return { result: await toResult(host, call, outcome) };
      const state = (await query.toState()) as unknown as JsonObject;
      return { asks: [{ path: "", pending: outcome.pending }], state };
    },
    async resume({ state, decisions: { "": answer = NO_ANSWER } }, call) {
      const decision = answer === "approve" || "deny" in answer ? answer : NO_ANSWER;
      const query = guard.startQuery(state as unknown as QueryState);
      return { result: await toResult(host, call, await query.resume(decision, call.options)) };
    },
  };
}

const QUERY = "toolrail/query";

/** Reads the query id of a request. Returns `undefined` if there is none, and `null` if it is invalid. */
function readQueryId({ meta, stated }: OfferedCall): string | null | undefined {
  if (!Object.hasOwn(meta, QUERY)) return undefined;
  const named = meta[QUERY];
  const isId = typeof named === "string" && named !== "" && named.length <= 128;
  return isId ? JSON.stringify([stated ?? null, named]) : null;
}

const NO_QUERY = `Nothing was called: _meta["${QUERY}"] must be a text of 1 to 128 characters.`;

/**
 * Returns the part of an outcome that a model may read, with the parts for the user. An unchecked result is in `_meta`, since
 * many clients show models all of `content`.
 */
async function toResult(
  host: Host,
  { options: { conversation } }: OfferedCall,
  outcome: GuardOutcome,
): Promise<JsonObject> {
  const { verdict, code, message } = outcome;
  const { content, isError } = outcomeView(await keepResult(host, outcome, { conversation }));
  const forUser = outcome.code === "complete" ? userView(outcome.hop).verbatim : [];
  const shown = { verdict, code, message, text: outcomeText(outcome) };
  return { content: [...content, ...forUser], isError, _meta: { "toolrail/outcome": shown } };
}
