import { buildInputRequests } from "@toolrail/core/internal";
import type { JsonObject } from "@toolrail/json";
import type { AskingModes, OfferedCall, Waited, Waiting } from "./offer.ts";

/** A waiting call as the host's store keeps it. Its client receives only an id. */
export interface Pause extends Waiting, Pick<OfferedCall, "stated"> {
  readonly tool: string;
  readonly conversation: string;
}

/** Creates a result that asks the client's user about the waiting calls (MCP 2026-07-28). */
export function toInputRequired({ asks }: Waiting, requestState: string): JsonObject {
  return { resultType: "input_required", inputRequests: buildInputRequests(asks), requestState };
}

/**
 * Refuses the calls for which a client would have to ask its user in a way that it does not support, by the paths of their steps.
 * Returns `undefined` if it supports all of them.
 */
export function findRefusals(
  { asks }: Waiting,
  modes: AskingModes,
): Waited["decisions"] | undefined {
  const refusals = asks.flatMap(({ path, pending }) => {
    const requests = Object.values(pending.inputRequest?.requests ?? {});
    const needed = pending.inputRequest ? requests.map(({ mode = "form" }) => mode) : [APPROVAL];
    const missing = needed.find((mode) => !modes[mode]);
    if (missing === undefined) return [];
    const before = pending.lostAttempts === undefined ? "" : MAYBE_CALLED;
    return [[path, { deny: `${before}${CANNOT_ASK[missing]}` }] as const];
  });
  return refusals.length > 0 ? Object.fromEntries(refusals) : undefined;
}

/** The mode in which a person is asked to approve a call. */
const APPROVAL = "form" as const;

/** The advice to the model of a client that cannot ask its user. It contains no text of a server. */
const CANNOT_ASK = {
  form: "this client cannot ask its user. Use a client that supports elicitation with forms.",
  url: 'this client cannot send its user to a page. Use a client that supports elicitation in the mode "url".',
};

const MAYBE_CALLED = "it was called before, it is unknown whether that took effect, and ";
