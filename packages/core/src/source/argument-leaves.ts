import { isJsonObject, type JsonObject } from "../json.ts";
import { joinKey } from "../path.ts";
import { type Needle, toNeedle } from "./index-text.ts";
import { normalizeText } from "./normalize-text.ts";

/** A normalised text or number in the arguments of a call, or a key. */
export interface ArgumentLeaf {
  /** For example `items.0.to`; for a key that not all neighbouring values have, followed by "(name)". */
  readonly path: string;
  readonly text: string;
  /** The same, to be found in other texts. */
  readonly needle: Needle;
}

/** Keys count too, since an argument may be a table. Booleans and `null` are ignored: they identify nothing. */
export function argumentLeaves(args: JsonObject): readonly ArgumentLeaf[] {
  const leaves: ArgumentLeaf[] = [];
  const add = (path: string, raw: string | number): void => {
    const text = normalizeText(String(raw));
    if (text !== "") leaves.push({ path, text, needle: toNeedle(text) });
  };
  const visit = (value: unknown, path: string): void => {
    if (typeof value === "string" || typeof value === "number") {
      add(path, value);
    } else if (Array.isArray(value)) {
      for (const [at, inner] of value.entries()) visit(inner, joinKey(path, at));
    } else if (isJsonObject(value)) {
      for (const [key, inner] of Object.entries(value)) {
        const at = joinKey(path, key);
        if (path !== "") add(`${at} (name)`, key);
        visit(inner, at);
      }
    }
  };
  visit(args, "");
  return leaves;
}

/** True for a place in that part of the arguments. An empty path means all of them. */
export function isWithin(path: string, part: string): boolean {
  return part === "" || (path.startsWith(part) && /^$|[.[]/.test(path.charAt(part.length)));
}
