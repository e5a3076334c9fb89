import { modelView, userView } from "@toolrail/core";
import { createSingleStep, type GuardOutcome, parsePlan } from "@toolrail/core/guard";
import { readArgument } from "./command-line.ts";
import type { CommandCall, Outcome } from "./run-toolrail.ts";
import { withHost } from "./servers.ts";
import { hopNode, indent, plainText, renderTree, renderViews, type Style } from "./terminal.ts";

/** Makes the one call of a plan if it is allowed. A malformed plan is refused before any server is asked. */
export async function runGuard(call: CommandCall): Promise<Outcome> {
  const { args, flags, context } = call;
  const { signal } = context;
  const plan = parsePlan(await readArgument(args[0] ?? "-", "The plan", context));
  const names = (flags.allow ?? []).flatMap((list) => list.split(","));
  const allow = names.map((name) => name.trim()).filter((name) => name !== "");
  return withHost(call, async ({ host, approve }) => {
    const query = createSingleStep(host, { allow }).startQuery();
    let outcome = await query.run(plan, { signal });
    while (outcome.verdict === "ask" && approve) {
      outcome = await query.resume(await approve(outcome.pending), { signal });
    }
    const { code, message } = outcome;
    // The command fails if nothing was called, or if no model may read the answer.
    const ok = code === "complete" || code === "needs-more-info";
    const result = "hop" in outcome && { result: outcome.hop.result };
    return {
      ok,
      document: { verdict: ok ? "allow" : "block", code, message, ...result },
      text: (style) => renderGuard(outcome, { ok, style }),
    };
  });
}

function renderGuard(
  outcome: GuardOutcome,
  { ok, style }: { readonly ok: boolean; readonly style: Style },
): string {
  const { dim, green, red } = style.colours;
  const { code, message } = outcome;
  const verdict = ok ? green("✔ allow") : red("✖ block");
  const head = `${verdict} ${dim(code)}\n${indent(plainText(message))}`;
  if (!("hop" in outcome)) return head;
  const { hop } = outcome;
  const model = code === "complete" ? modelView(hop).content : [];
  const views = renderViews({ model, user: userView(hop).content }, style);
  return [head, renderTree([hopNode(hop, style)], dim), ...views].join("\n\n");
}
