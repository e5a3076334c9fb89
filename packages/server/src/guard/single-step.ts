import { type Host, type ToolFilter, userView } from "@toolrail/core";
import { createOptionCheck, offeredTools } from "@toolrail/core/adapter";
import {
  createSingleStep,
  type GuardOutcome,
  openQuery,
  outcomeText,
  type QueryState,
  type SingleStepOptions,
} from "@toolrail/guard";
import { GUARD_OPTIONS, keepResult, outcomeView } from "@toolrail/guard/adapter";
import type { JsonObject } from "@toolrail/json";
import { type Ended, type Offer, type OfferedCall, textResult, USE_FORMS } from "../offer.ts";
import { toListed } from "../offer-chains.ts";
import type { ServedCalls } from "../serve-host.ts";

const checkOptions = /* @__PURE__ */ createOptionCheck<SingleStepOptions>(
  "singleStep",
  GUARD_OPTIONS,
);

/**
 * One call for each query, under guard, as `serveHost(server, host, { guard: singleStep({ allow }) })`: the tools are those of the
 * operator's list, no `nextTool` is followed, and a client is sent only a result that its tool's schema accepts. MCP has no
 * query: those requests are one that have the same `_meta["toolrail/query"]` in a conversation; without it each is one.
 */
export function singleStep(options: SingleStepOptions): ServedCalls<"guard"> {
  checkOptions(options);
  return { kind: "guard", offer: (host, tools) => offerGuarded(host, { options, tools }) };
}

interface Offering {
  readonly options: SingleStepOptions;
  readonly tools: ToolFilter | undefined;
}

function offerGuarded(host: Host, { options, tools }: Offering): Offer {
  const guard = createSingleStep(host, options);
  const offered = () => {
    const allowed = new Set(guard.tools);
    return offeredTools(host, tools).filter((tool) => allowed.has(tool));
  };
  const toolOf = (name: string) => offered().find(({ modelName }) => modelName === name);
  return {
    list: () => offered().map(toListed),
    has: (name) => toolOf(name) !== undefined,
    async begin(call) {
      const id = queryOf(call);
      if (id === null) return { result: textResult(NO_QUERY, true) };
      const tool = toolOf(call.name) ?? call.name; // A tool that went away is refused by the guard.
      const query = guard.startQuery(id === undefined ? undefined : openQuery(id));
      const outcome = await query.call({ tool, arguments: call.arguments }, call.options);
      if (outcome.verdict !== "ask") return { result: await toResult(host, call, outcome) };
      if (!call.canAsk) return { result: textResult(`${outcome.message} But ${USE_FORMS}`, true) };
      const state = (await query.toState()) as unknown as JsonObject;
      return { asks: [{ path: "", pending: outcome.pending }], state };
    },
    async resume({ state, decisions: { "": said } }, call): Promise<Ended> {
      const decision = said === "approve" ? said : { deny: "the user did not approve it" };
      const query = guard.startQuery(state as unknown as QueryState);
      return { result: await toResult(host, call, await query.resume(decision, call.options)) };
    },
  };
}

const QUERY = "toolrail/query";

/** The id of the query that a request belongs to; `undefined` if it names none, and `null` for what is no id. */
function queryOf({ meta, stated }: OfferedCall): string | null | undefined {
  if (!Object.hasOwn(meta, QUERY)) return undefined;
  const named = meta[QUERY];
  const isId = typeof named === "string" && named !== "" && named.length <= 128;
  return isId ? JSON.stringify([stated ?? null, named]) : null;
}

const NO_QUERY = `Nothing was called: _meta["${QUERY}"] must be a text of 1 to 128 characters.`;

/**
 * The part of an outcome that a model may read, with the parts for the user. What the tool sent in place of a checked result is in
 * `_meta`, since many clients show models all of `content`.
 */
async function toResult(
  host: Host,
  { options: { conversation } }: OfferedCall,
  outcome: GuardOutcome,
): Promise<JsonObject> {
  const { verdict, code, message } = outcome;
  const { content, isError } = outcomeView(await keepResult(host, outcome, { conversation }));
  const forUser = outcome.code === "complete" ? userView(outcome.hop).verbatim : [];
  const told = { verdict, code, message, text: outcomeText(outcome) };
  return { content: [...content, ...forUser], isError, _meta: { "toolrail/outcome": told } };
}
