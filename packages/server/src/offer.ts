import type { CallOptions, Decision } from "@toolrail/core";
import type { WaitingCall } from "@toolrail/core/internal";
import type { JsonObject } from "@toolrail/json";

/** Tools that a server offers, and how their calls run: as chains, as a pipe, or under guard. */
export interface Offer {
  /** Lists the tools as `tools/list` shows them now. */
  list(): readonly JsonObject[];
  /** True for the name of a tool that is offered now. */
  has(name: string): boolean;
  begin(call: OfferedCall): Promise<Ended>;
  /** Goes on with a call that waited, as persons have decided. */
  resume(waited: Waited, call: OfferedCall): Promise<Ended>;
}

/** One `tools/call`, as an offer sees it. */
export interface OfferedCall {
  readonly name: string;
  readonly arguments: JsonObject;
  /** `_meta` of the request. */
  readonly meta: JsonObject;
  /** The conversation, if the transport or the application states it. */
  readonly stated: string | undefined;
  /** True if the user of the client can be asked with forms. */
  readonly canAsk: boolean;
  readonly options: CallOptions & { readonly conversation: string };
}

/** The end of a call: its result, or the calls that wait for a person and what it goes on with. */
export type Ended = { readonly result: JsonObject } | Waiting;

/** A call that waits for a person. Plain JSON. */
export interface Waiting {
  readonly asks: readonly WaitingCall[];
  readonly state: JsonObject;
}

/** What a call goes on with, and the word of persons on all that it asked, by the paths of the steps. */
export interface Waited extends Pick<Waiting, "state"> {
  readonly decisions: Readonly<Record<string, Decision>>;
}

/** A result of one text. */
export function textResult(text: string, isError: boolean): JsonObject {
  return { content: [{ type: "text", text }], isError };
}

/** Tells the model of a client whose user cannot be asked. */
export const USE_FORMS =
  "this client cannot ask its user. Use a client that supports elicitation with forms.";
