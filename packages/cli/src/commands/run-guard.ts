import { ToolrailError } from "@toolrail/core";
import { createSingleStep, type GuardOutcome, parsePlan, toBlocked } from "@toolrail/core/guard";
import type { Outcome } from "../outcome.ts";
import { readText } from "../read-input.ts";
import { isAllowed, renderGuard } from "../report/guard-report.ts";
import type { CommandCall } from "./command-spec.ts";
import { withHost } from "./with-host.ts";

/** Makes the one call of a plan, where it is allowed. A malformed plan is blocked before any server is asked. */
export async function runGuard({ args, flags, context }: CommandCall): Promise<Outcome> {
  const { signal } = context;
  const { 0: given = "-" } = args;
  const isInline = given.trimStart().startsWith("{");
  const text = isInline ? given : await readText(given, { ...context, what: "The plan" });
  const names = (flags.allow ?? []).flatMap((list) => list.split(","));
  const allow = names.map((name) => name.trim()).filter((name) => name !== "");
  let plan: ReturnType<typeof parsePlan>;
  try {
    plan = parsePlan(text);
  } catch (error) {
    if (!ToolrailError.isInstance(error)) throw error;
    return toOutcome(toBlocked(error));
  }
  return withHost({ flags, context }, async ({ host, onProgress }) => {
    const query = createSingleStep(host, { allow }).startQuery();
    return toOutcome(await query.run(plan, { signal, onProgress }));
  });
}

function toOutcome(outcome: GuardOutcome): Outcome {
  const { code, message } = outcome;
  const verdict = isAllowed(outcome) ? "allow" : "block";
  const result = "hop" in outcome && { result: outcome.hop.result };
  return {
    ok: verdict === "allow",
    document: { verdict, code, message, ...result },
    text: (style) => renderGuard(outcome, style),
  };
}
