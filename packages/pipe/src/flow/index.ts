/** Pipes that branch, go through lists and compute values, if an operator switches that on. @module */

import type { PipeFlow } from "../types.ts";
import { checkExpression, compileEach } from "./compile.ts";
import { createEvaluator, decideWhen } from "./evaluate.ts";
import { expandItems, itemVariables } from "./items.ts";

export type { PipeFlow } from "../types.ts";

/**
 * The extension of pipes by conditions (`when`), lists (`for_each`) and expressions of CEL (`$cel`). Give it to what checks
 * specs, as `createPipeTool(host, { flow: flow() })` or `runPipe(host, { spec, flow: flow() })`: a spec that uses one of them is
 * refused elsewhere.
 */
export function flow(): PipeFlow {
  return {
    description: DESCRIPTION,
    checkExpression,
    compileEach,
    createEvaluator,
    decideWhen,
    expandItems,
    itemVariables,
  };
}

const DESCRIPTION = `Also, with CEL expressions over vars, steps and last: {"$cel": "steps.s.structured.results.filter(r, r.score > 0.5).map(r, r.url)"} where a value may stand; when: "CEL" on a step, false skips it; a step {id, for_each: LIST, as: "page", do: {tool, args} or {pipe}} reads \${page.url} and gives steps.ID.items, each like a step.`;
