import type { ChainEnd } from "@toolrail/core";
import { callKey, type MadeCall } from "../world/ledger.ts";
import { nextArguments, nextName } from "../world/next-call.ts";
import { ruleOn, wordOn } from "../world/policy.ts";
import { idOf, type ToolPlan, type World } from "../world/tool-plan.ts";

/**
 * The calls that a chain makes, why it ends, and whether a person is asked after its first call: from the plans alone, without any
 * code of Toolrail.
 */
export function foresee(world: World, start: MadeCall) {
  const made: string[] = [];
  let asksLater = false;
  const end = (ended: ChainEnd) => ({ made, ended, asksLater });
  let call = start;
  for (;;) {
    const plan = world.tools.find((one) => idOf(one) === call.tool);
    if (!plan || plan.place === "forbidden") return end("denied");
    if (typeof call.arguments.at !== "string") return end("invalid-arguments");
    const rule = ruleOn(plan, call);
    asksLater ||= rule === "ask" && made.length > 0;
    if (rule === "deny" || (rule === "ask" && wordOn(call) !== "approve")) return end("denied");
    made.push(callKey(call));
    if (plan.says === "breaks" || plan.says === "garbles") return end("failed");
    if (plan.says === "untrue") return end("invalid-output");
    const { next } = plan;
    if (!next) return end("complete");
    if (next.form === "text" || next.form === "differ" || next.form === "extra") {
      return end("malformed");
    }
    const target = findTarget(world, { from: plan, name: nextName(next, world.tools) });
    if (!target) return end("unknown-tool");
    call = { tool: idOf(target), arguments: nextArguments(next, call.arguments) };
    if (made.includes(callKey(call))) return end("cycle");
    if (made.length === 5) return end("depth-limit");
  }
}

/** A tool of the same server that may be called; else the only one of `lab` that `desk` may reach. */
function findTarget(
  { tools, crosses }: World,
  { from, name }: { readonly from: ToolPlan; readonly name: string },
): ToolPlan | undefined {
  const own = tools.find((plan) => plan.server === from.server && plan.name === name);
  const isOpen = own !== undefined && own.place !== "forbidden";
  if (isOpen || !crosses || from.server !== "desk") return own;
  const far = tools.filter(({ server, place }) => server === "lab" && place !== "forbidden");
  return far.find((plan) => plan.name === name || idOf(plan) === name) ?? own;
}
