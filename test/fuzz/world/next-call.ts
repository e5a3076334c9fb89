import type { JsonObject } from "@toolrail/core/json";
import { idOf, type NextPlan, type ToolPlan } from "./tool-plan.ts";

interface Asking {
  readonly args: JsonObject;
  readonly tools: readonly ToolPlan[];
}

/** The name by which a plan means its next tool. */
export function nextName({ to, form }: NextPlan, tools: readonly ToolPlan[]): string {
  const target = tools[to];
  if (!target) return "nobody-has-it";
  return form === "id" ? idOf(target) : target.name;
}

export function nextArguments({ args: kind }: NextPlan, { at }: JsonObject): JsonObject {
  if (kind === "none") return {};
  if (kind === "wrong") return { at: 7 };
  return { at: kind === "deeper" ? `${at}>` : at };
}

/** The members of `_meta` that ask for the call. */
export function toMeta(plan: NextPlan, { args, tools }: Asking): JsonObject {
  const tool = nextName(plan, tools);
  const given = nextArguments(plan, args);
  const call = { tool, ...(plan.args !== "none" && { arguments: given }) };
  switch (plan.form) {
    case "name":
      return { nextTool: { name: tool, arguments: given } };
    case "openai":
      return { "openai/nextTool": call };
    case "twice":
      return { nextTool: call, "openai/nextTool": { tool, name: tool, arguments: given } };
    case "text":
      return { nextTool: tool };
    case "differ":
      return { nextTool: call, "openai/nextTool": { tool: `${tool}-too`, arguments: given } };
    case "extra":
      return { nextTool: { ...call, when: "now" } };
    default:
      return { nextTool: call };
  }
}
