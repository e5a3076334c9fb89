import { ToolrailError } from "../errors.ts";
import type { Host } from "../host/create-host.ts";
import { admitPlanned, type PlannedVerdict } from "./admit-planned.ts";
import { type GuardOutcome, toAsked, toBlocked } from "./guard-outcome.ts";
import { type Plan, toPlan, toRequest } from "./plan.ts";
import type { SingleStep } from "./single-step.ts";

/** What would become of a plan. */
export type PlanVerdict =
  | PlannedVerdict
  /** The plan calls nothing: `answer` says what the planner needs to know. */
  | { readonly type: "answer"; readonly answer: string };

/**
 * Says whether a plan may be carried out, and calls nothing. Against a host that is the whole schema, in
 * its own validator, and the host's rules; against a single step its allowlist as well. Never rejects.
 */
export async function checkPlan(plan: Plan, target: Host | SingleStep): Promise<PlanVerdict> {
  try {
    const known = toPlan(plan);
    if (known.type === "final_answer") return { type: "answer", answer: known.answer };
    const request = toRequest(known);
    return await ("admit" in target
      ? target.admit(request)
      : admitPlanned({ host: target }, request));
  } catch (cause) {
    if (ToolrailError.isInstance(cause)) return { type: "refuse", error: cause };
    const message = `The plan could not be checked: ${cause}`;
    return { type: "refuse", error: new ToolrailError("callback-failed", message, { cause }) };
  }
}

/** What a verdict comes to; `undefined` where the call may be made and there is no outcome yet. */
export function toGuardOutcome(verdict: PlanVerdict): GuardOutcome | undefined {
  switch (verdict.type) {
    case "refuse":
      return toBlocked(verdict.error);
    case "answer":
      return { verdict: "allow", code: "needs-more-info", message: verdict.answer };
    case "ask":
      return toAsked(verdict.call);
    case "allow":
      return undefined;
  }
}
