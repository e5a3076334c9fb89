import type { KnownScope } from "./check-reference.ts";
import { checkStepArguments, findStepTool } from "./check-step-tool.ts";
import type { StepPlan } from "./pipe-plan.ts";
import { joinPath } from "./pipe-problem.ts";
import { type Planning, planValue } from "./planning.ts";

/** Plans a step that calls a tool: the tool must be there, and take what is known of the arguments. */
export function planToolStep(
  planning: Planning,
  id: string,
  { tool: name, args: given = {} }: { readonly tool?: unknown; readonly args?: unknown },
  { at, path }: { readonly at: string; readonly path: string },
  scope: KnownScope,
): StepPlan | undefined {
  const { host, author, problems } = planning;
  const before = problems.length;
  const args = planValue(planning, joinPath(at, "args"), given, scope);
  if (typeof name !== "string" || name === "") return undefined;
  const tool = findStepTool(host, name, author);
  if (typeof tool === "string") {
    problems.push({ path: joinPath(at, "tool"), message: tool });
    return undefined;
  }
  if (problems.length === before) {
    const message = checkStepArguments(host, tool, args);
    if (message) problems.push({ path: joinPath(at, "args"), message });
  }
  return { kind: "tool", id, path, tool: { server: tool.server, name: tool.name }, args };
}
