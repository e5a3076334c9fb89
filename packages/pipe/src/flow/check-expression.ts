import { parseExpression } from "@toolrail/json/cel";
import { note, referenceProblem } from "../compile/known-values.ts";
import { ROOTS } from "../spec/references.ts";
import type { Site } from "../types.ts";

/** Notes what is wrong with an expression: its syntax, with the place, and what it reads. */
export function checkExpression(source: unknown, site: Site): void {
  const { scope } = site;
  const names = Object.keys(scope.items ?? {});
  const roots = [...ROOTS.filter((root) => root !== "last" || scope.last), ...names];
  const expression =
    typeof source === "string" ? parseExpression(source, { roots }) : "this must be a string";
  if (typeof expression === "string") {
    note(site, `the expression cannot be read: ${expression}`);
    return;
  }
  for (const keys of expression.paths) {
    const [root, name] = keys;
    // What `vars` hold may be another thing in each run, and an expression can ask for it.
    const known = root === "vars" ? keys.slice(0, 2) : keys;
    const isBare = root === "steps" && name === undefined;
    note(site, isBare ? NAME_IT : referenceProblem(known, site));
  }
}

const NAME_IT = "an expression names the step that it reads, as in steps.a.structured";
