/** Pipes that branch, go through lists and compute values, if an operator switches that on. @module */

import type { PipeFlow } from "../types.ts";
import { checkExpression, compileEach } from "./compile.ts";
import { createEvaluator, decideWhen } from "./evaluate.ts";
import { expandItems, itemVariables } from "./items.ts";

export type { PipeFlow } from "../types.ts";

/**
 * Creates the extension of pipes for conditions (`when`), lists (`for_each`) and CEL expressions (`$cel`). Pass it where specs
 * are checked, as in `createPipeTool(host, { flow: flow() })` or `runPipe(host, { spec, flow: flow() })`. Without it, specs
 * that use one of them are refused.
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
