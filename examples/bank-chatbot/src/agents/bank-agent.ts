import type { Host } from "@toolrail/core";
import type { GuardOutcome } from "@toolrail/core/guard";
import type { JsonObject } from "@toolrail/core/json";

/** The parts of an agent. The host knows the customer, and no agent does. */
export interface AgentParts {
  readonly host: Host;
  readonly model: ModelAccess;
  /** Receives the outcome of each question in guard mode, which allows one call of a tool on `GUARD_LIST`. Default: no guard. */
  readonly guard?: { readonly onOutcome: (outcome: GuardOutcome) => void };
}

/** Chat completions of an OpenAI-compatible server. */
export interface ModelAccess {
  readonly url: string;
  readonly modelId: string;
  readonly apiKey: string;
  readonly fetch: typeof fetch;
}

export interface AgentTurn {
  /** Receives the model's text, piece by piece. */
  readonly onText: (delta: string) => void;
  readonly signal: AbortSignal;
}

/** A call that waits for a person. */
export interface PendingApproval {
  /** The tool's name for models. */
  readonly toolName: string;
  readonly arguments: JsonObject;
  /** The reason for asking the customer, in plain words. */
  readonly reason?: string | undefined;
  /** Continues with the customer's answer. There may be more to ask. */
  decide(approved: boolean, turn: AgentTurn): Promise<readonly PendingApproval[]>;
}

/**
 * A chatbot of the bank, whatever framework it is built with. What its tools return reaches the customer
 * through the host, which every call passes. No text may follow while an approval is open.
 */
export interface BankAgent {
  say(text: string, turn: AgentTurn): Promise<readonly PendingApproval[]>;
  /** Tells the model what the customer did without it, for the turns that follow. */
  note(customer: string, bank: string): void;
}
