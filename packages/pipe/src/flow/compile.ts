import { parseExpression } from "@toolrail/json/cel";
import { checkValue, note, referenceProblem, UNKNOWN, within } from "../compile/known-values.ts";
import { isForbiddenName, isReference, ROOTS } from "../spec/references.ts";
import type { CompiledEach, PipeFlow, Site } from "../types.ts";

export function checkExpression(source: unknown, site: Site): void {
  const { variables } = site;
  const names = Object.keys(variables.items ?? {});
  const roots = [...ROOTS.filter((root) => root !== "last" || variables.last), ...names];
  const expression =
    typeof source === "string" ? parseExpression(source, { roots }) : "this must be a string";
  if (typeof expression === "string") {
    note(site, `the expression cannot be read: ${expression}`);
    return;
  }
  for (const keys of expression.paths) {
    const [root, name] = keys;
    // Different runs may have different `vars`, and an expression can check for them.
    const known = root === "vars" ? keys.slice(0, 2) : keys;
    const isBare = root === "steps" && name === undefined;
    note(site, isBare ? NAME_IT : referenceProblem(known, site));
  }
}

const NAME_IT = "an expression names the step that it reads, as in steps.a.structured";

const MAX_ITEMS = 20;

export const compileEach: PipeFlow["compileEach"] = (step, { site, compileStep }) => {
  const { for_each: list, as = "item", max_items: maxItems = MAX_ITEMS } = step;
  const place = within(site, "for_each");
  const { parsed } = checkValue(list, place);
  if (!Array.isArray(list) && !isReference(list)) note(place, NO_LIST);
  if (Array.isArray(list) && list.length > maxItems) {
    note(place, `the list has ${list.length} items; at most ${maxItems} may run (max_items)`);
  }
  note(within(site, "as"), nameProblem(as, site));
  const variables = { ...site.variables, items: { ...site.variables.items, [as]: UNKNOWN } };
  const inner = { ...within(site, "do"), variables };
  const body = compileStep({ id: "items", ...step.do }, inner) as CompiledEach["body"];
  return { kind: "for_each", list: parsed, as, maxItems, body };
};

const NO_LIST = 'this must be a list, or read one, as {"$ref": "steps.a.structured.rows"} does';

/** Checks the name of an item, which paths and expressions use. It must not have another meaning. */
function nameProblem(as: string, { variables: { items = {} } }: Site): string | undefined {
  if (!/^[A-Za-z_]\w*$/.test(as) || isForbiddenName(as)) {
    return `the name ${JSON.stringify(as.slice(0, 40))} cannot be used: write letters, digits and "_"`;
  }
  const isTaken = [...ROOTS, "kept"].includes(as) || Object.hasOwn(items, as);
  return isTaken ? `"${as}" means something else here already; take another name` : undefined;
}
