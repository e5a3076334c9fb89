import type { Host, JsonObject, PendingCall } from "@toolrail/core";

/** Where an agent's words go, piece by piece. */
export interface AgentOutput {
  text(delta: string): void;
}

/** A call that waits for a person. */
export interface PendingApproval {
  readonly call: Pick<PendingCall, "server" | "tool"> & { readonly arguments: JsonObject };
  /** Goes on with the answer; more may be asked. */
  decide(approved: boolean, turn: AgentTurn): Promise<readonly PendingApproval[]>;
  /** Leaves the call unmade, because the customer has gone on without an answer. */
  withdraw(): void;
}

export interface AgentTurn {
  readonly output: AgentOutput;
  readonly signal: AbortSignal;
  /** True once the model has nothing to add: the customer has to act, or the bank is gone. */
  isOver(): boolean;
}

/**
 * A chatbot of the bank behind the page, whatever framework it is built with. What its tools return
 * reaches the page through the host, which every call passes.
 */
export interface WebAgent {
  say(text: string, turn: AgentTurn): Promise<readonly PendingApproval[]>;
  /** Tells the model what the customer did without it, for the turns that follow. */
  note(customer: string, bank: string): void;
}

/** What an agent is made of. The host knows the thread and the customer; no agent does. */
export interface WebAgentParts {
  readonly host: Host;
  readonly model: ModelAccess;
}

/** Chat completions, with a `fetch` that meters them. */
export interface ModelAccess {
  readonly url: string;
  readonly modelId: string;
  readonly apiKey: string;
  readonly fetch: typeof fetch;
}

/** What the model reads of a call that was withdrawn. */
export const WITHDRAWN = "Not called: the customer went on without answering.";

export type CreateWebAgent = (parts: WebAgentParts) => WebAgent;
