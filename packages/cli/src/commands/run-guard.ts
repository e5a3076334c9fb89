import { createSingleStep, parsePlan } from "@toolrail/core/guard";
import type { CommandCall, Outcome } from "../command.ts";
import { readText } from "../read-input.ts";
import { renderGuard } from "../report/guard-report.ts";
import { withHost } from "./with-host.ts";

/** Makes the one call of a plan, where it is allowed. A malformed plan is refused before any server is asked. */
export async function runGuard({ args, flags, context }: CommandCall): Promise<Outcome> {
  const { signal } = context;
  const { 0: given = "-" } = args;
  const isInline = given.trimStart().startsWith("{");
  const plan = parsePlan(
    isInline ? given : await readText(given, { ...context, what: "The plan" }),
  );
  const names = (flags.allow ?? []).flatMap((list) => list.split(","));
  const allow = names.map((name) => name.trim()).filter((name) => name !== "");
  return withHost({ flags, context }, async ({ host }) => {
    const query = createSingleStep(host, { allow }).startQuery();
    const outcome = await query.run(plan, { signal });
    const { code, message } = outcome;
    // Not where nothing was called, nor where no model may read what was answered.
    const ok = code === "complete" || code === "needs-more-info";
    const result = "hop" in outcome && { result: outcome.hop.result };
    return {
      ok,
      document: { verdict: ok ? "allow" : "block", code, message, ...result },
      text: (style) => renderGuard(outcome, { ok, style }),
    };
  });
}
