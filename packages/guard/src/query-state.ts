import type { Tool } from "@toolrail/core";
import { definitionHash } from "@toolrail/core/internal";
import { isJsonObject } from "@toolrail/json";
import type { QueryPhase, QueryState } from "./types.ts";

/** The refusal that ends a query, counted from 1. */
export const MAX_REFUSALS = 3;

/** The state of a query that begins, under an id of your own: runs that share it share one call. */
export function openQuery(id: string): QueryState {
  return { id, phase: { type: "open", refusals: 0 } };
}

/** The state of a query that may call nothing. */
export function shutQuery(id = ""): QueryState {
  return { id, phase: { type: "spent" } };
}

/** The phase of a state that was kept. If part of it was lost, the query is spent. */
export function phaseOf({ phase, tools }: QueryState): QueryPhase {
  const refusals = isJsonObject(phase) && "refusals" in phase ? phase.refusals : -1;
  const isCounted = Number.isSafeInteger(refusals) && refusals >= 0;
  const isWaiting = phase?.type === "pending" && isJsonObject(phase.call) && isJsonObject(tools);
  const isKnown = isCounted && (phase.type === "open" || isWaiting);
  return isKnown ? phase : { type: "spent" };
}

export type KnownTools = ReturnType<typeof rememberTools>;

/** The tools that a query begins with: as they are now, or by the hashes that were kept of an earlier part of it. */
export function rememberTools(tools: readonly Tool[], { tools: kept }: QueryState) {
  const hashes = async () => {
    const entries = tools.map(async (tool) => [tool.id, await definitionHash(tool)] as const);
    return kept ?? Object.fromEntries(await Promise.all(entries));
  };
  return {
    hashes,
    /** True if the tool was there and has the same definition now. */
    isUnchanged: async (tool: Tool): Promise<boolean> =>
      (!kept && tools.includes(tool)) || (await hashes())[tool.id] === (await definitionHash(tool)),
  };
}
