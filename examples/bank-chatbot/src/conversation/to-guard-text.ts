import type { Tool } from "@toolrail/core";
import type { GuardOutcome } from "@toolrail/core/guard";

/** Describes the outcome of a question in guard mode. Returns `undefined` if a person is asked instead. */
export function toGuardText(outcome: GuardOutcome, tools: readonly Tool[]): string | undefined {
  if (outcome.verdict === "ask") return undefined;
  if (outcome.verdict === "block") return REFUSALS[outcome.code] ?? "The guard let nothing pass.";
  if (!("hop" in outcome) || !outcome.notFollowed) {
    return "The guard let one call pass. This question has no other.";
  }
  const { server, tool } = outcome.notFollowed;
  const named = tools.find(({ id }) => id === `${server}.${tool}`)?.title ?? tool;
  return (
    `The guard let one call pass. Its answer asks for a second one, “${named}”: ` +
    "that was not made."
  );
}

const REFUSALS: Readonly<Record<string, string>> = {
  "step-used": "The guard refused a second call: a question has one.",
  "not-on-allowlist": "The guard refused a call, as its tool is not on the bank’s list.",
  denied: "You declined, so that the guard made no call.",
};
