import type { CompiledEach } from "../compile/compiled-pipe.ts";
import { checkValue, note, UNKNOWN, within } from "../compile/known-values.ts";
import { isReference } from "../spec/map-references.ts";
import { isForbiddenName, ROOTS } from "../spec/references.ts";
import type { PipeFlow, Site } from "../types.ts";

const MAX_ITEMS = 20;

/** Checks a step that goes through a list, and what it does with each item. */
export const compileEach: PipeFlow["compileEach"] = (step, { site, compileStep }) => {
  const { for_each: list, as = "item", max_items: maxItems = MAX_ITEMS } = step;
  const place = within(site, "for_each");
  const { parsed } = checkValue(list, place);
  if (!Array.isArray(list) && !isReference(list)) note(place, NO_LIST);
  if (Array.isArray(list) && list.length > maxItems) {
    note(place, `the list has ${list.length} items; at most ${maxItems} may run (max_items)`);
  }
  note(within(site, "as"), nameProblem(as, site));
  const scope = { ...site.scope, items: { ...site.scope.items, [as]: UNKNOWN } };
  const inner = { ...within(site, "do"), scope };
  const body = compileStep({ id: "items", ...step.do }, inner) as CompiledEach["body"];
  return { kind: "for_each", list: parsed, as, maxItems, body };
};

const NO_LIST = 'this must be a list, or read one, as {"$ref": "steps.a.structured.rows"} does';

/** A name of an item that a path and an expression can write, and that means nothing else. */
function nameProblem(as: string, { scope: { items = {} } }: Site): string | undefined {
  if (!/^[A-Za-z_]\w*$/.test(as) || isForbiddenName(as)) {
    return `the name ${JSON.stringify(as.slice(0, 40))} cannot be used: write letters, digits and "_"`;
  }
  const isTaken = [...ROOTS, "kept"].includes(as) || Object.hasOwn(items, as);
  return isTaken ? `"${as}" means something else here already; take another name` : undefined;
}
