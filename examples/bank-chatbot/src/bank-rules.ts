import type { Rule } from "@toolrail/example-offline-model";
import { answerResult } from "./rules/answer-result.ts";
import { askRules } from "./rules/ask-bank.ts";
import { relayHandoff } from "./rules/relay-handoff.ts";

const GREETING =
  "Hello! I am the bank's assistant, a rule-based stand-in for a model. I can list your accounts, " +
  "show a balance, prepare a transfer, check an account that does not work, or get you a person.";

/** The offline model's rules for conversations with the bank. Tool results come first. */
export const bankRules: readonly Rule[] = [
  relayHandoff,
  answerResult,
  ...askRules,
  ({ lastUser }) =>
    /^\W*(hello|hi|hey|good (morning|day|evening))\b|\bhelp\b|what can you do/i.test(lastUser)
      ? { text: GREETING }
      : undefined,
];
