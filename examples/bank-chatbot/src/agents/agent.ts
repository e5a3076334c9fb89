import type { CallOrigin, Host, Policy } from "@toolrail/core";
import type { JsonObject } from "@toolrail/core/json";
import type { ModelEndpoint } from "../model.ts";

/** The parts of an agent. The host knows the customer, and no agent does. */
export interface AgentParts {
  readonly host: Host;
  readonly model: ModelEndpoint;
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

/** The same words for every agent and every model. */
export const INSTRUCTIONS =
  "You are the assistant of a bank. Help the customer with their accounts and transfers by calling " +
  "tools. Answer in one or two plain sentences. Never invent balances, account ids or tickets.";

/** The tools that a guarded question may call, and which of them a person has to approve. Everything else is refused. */
export const GUARD_LIST = {
  "bank.list_accounts": "allow",
  "bank.get_account_balance": "allow",
  "bank.check_account_issue": "allow",
  "bank.request_agent_handoff": "allow",
  "bank.prepare_money_transfer": "ask",
} as const;

/** The amount in dollars from which a transfer that a model prepares needs the customer's approval first. */
const LARGE_TRANSFER = 1_000;

/** A policy of the application, whatever the bank itself checks. */
export const askBeforeLargeTransfers: Policy = ({ arguments: { amount }, origin }) => {
  const isLarge = typeof amount === "number" && amount >= LARGE_TRANSFER;
  return isLarge && isOfModel(origin) ? { ask: "the amount is large" } : "allow";
};

/** A step of a pipe that a model wrote is a call of that model. */
function isOfModel(origin: CallOrigin): boolean {
  return origin.by === "model" || (origin.by === "pipe" && origin.author === "model");
}
