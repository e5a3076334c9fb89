import { definitionHash } from "../call/definition.ts";
import { isJsonObject } from "../json/json.ts";
import type { Tool } from "../types/tool.ts";
import type { QueryPhase, QueryState } from "./types.ts";

/** The number of refusals after which a query ends. */
export const MAX_REFUSALS = 3;

/** Creates the state of a new query with an id of the caller. Runs with the same id share one call, for `limits.approvalTtlMs`. */
export function openQuery(id: string): QueryState {
  return { id, phase: { type: "open", refusals: 0 } };
}

/** Creates the state of a query that may call nothing. */
export function shutQuery(id = ""): QueryState {
  return { id, phase: { type: "spent" } };
}

/** Reads the phase of a stored state. The query is spent if part of the state was lost, or if it has expired. */
export function readPhase(
  { phase, tools, expiresAtMs = Number.POSITIVE_INFINITY }: QueryState,
  nowMs: number,
): QueryPhase {
  const refusals = isJsonObject(phase) && "refusals" in phase ? phase.refusals : -1;
  const isCounted = Number.isSafeInteger(refusals) && refusals >= 0;
  const isWaiting = phase?.type === "pending" && isJsonObject(phase.call) && isJsonObject(tools);
  const isKnown = isCounted && (phase.type === "open" || isWaiting) && nowMs < expiresAtMs;
  return isKnown ? phase : { type: "spent" };
}

export type KnownTools = ReturnType<typeof rememberTools>;

/** Remembers the tools that a query begins with: those of now, or the stored hashes of an earlier part of the query. */
export function rememberTools(tools: readonly Tool[], { tools: kept }: QueryState) {
  const hashes = () =>
    kept ?? Object.fromEntries(tools.map((tool) => [tool.id, definitionHash(tool)]));
  return {
    hashes,
    /** Returns true if the tool existed then and still has the same definition. */
    isUnchanged: (tool: Tool): boolean =>
      (!kept && tools.includes(tool)) || hashes()[tool.id] === definitionHash(tool),
  };
}
