import type { CallOptions, Decision } from "@toolrail/core";
import type { WaitingCall } from "@toolrail/core/internal";
import type { JsonObject } from "@toolrail/json";

/** The tools that a server offers, and the way of their calls: as chains, as a pipe, or under guard. */
export interface Offer {
  list(): readonly JsonObject[];
  /** Finds a tool by its name. Returns `undefined` if it is not offered now. */
  find(name: string): OfferedTool | undefined;
}

export interface OfferedTool {
  begin(call: OfferedCall): Promise<Ended>;
  /** Resumes a call that waited, with the decisions of persons. */
  resume(waited: Waited, call: OfferedCall): Promise<Ended>;
}

/** The ways in which a client can ask its user: with forms, and with pages to visit. */
export interface AskingModes {
  readonly form: boolean;
  readonly url: boolean;
}

/** A `tools/call` request as an offer receives it. */
export interface OfferedCall {
  readonly name: string;
  readonly arguments: JsonObject;
  readonly meta: JsonObject;
  /** The conversation, if the transport or the application names it. */
  readonly stated: string | undefined;
  /** The ways in which the client can ask its user. */
  readonly modes: AskingModes;
  readonly options: CallOptions & { readonly conversation: string };
}

/** The end of a call: its result, or the calls that wait for a person and the state to resume it. */
export type Ended = { readonly result: JsonObject } | Waiting;

/** A call that waits for a person. Plain JSON. */
export interface Waiting {
  readonly asks: readonly WaitingCall[];
  readonly state: JsonObject;
}

/** The state of a waiting call, and the decisions about all of its questions by the paths of the steps. */
export interface Waited extends Pick<Waiting, "state"> {
  readonly decisions: Readonly<Record<string, Decision>>;
}

export function textResult(text: string, isError: boolean): JsonObject {
  return { content: [{ type: "text", text }], isError };
}

/** The decision if the user has not answered. */
export const NO_ANSWER = { deny: "nobody has answered" };
