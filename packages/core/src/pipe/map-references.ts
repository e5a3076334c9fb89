import { isJsonObject } from "../json.ts";
import { joinPath } from "./pipe-problem.ts";

/** Where a value stands, and what is to come of its references. */
interface Mapping {
  readonly at: string;
  read(reference: {
    /** The path as it is written; `undefined` where a text does not close it. */
    readonly raw: unknown;
    /** The place of the value that holds it. */
    readonly at: string;
    /** A path by itself, one that a text takes in, or an expression. */
    readonly form: "value" | "text" | "cel";
  }): unknown;
}

/** A copy of a value with what `read` makes of each reference, which is not read again. Measure its depth first. */
export function mapReferences(value: unknown, mapping: Mapping): unknown {
  const { at, read } = mapping;
  if (typeof value === "string") return mapText(value, mapping);
  const member = (inner: unknown, key: string | number) =>
    mapReferences(inner, { at: joinPath(at, key), read });
  if (Array.isArray(value)) return value.map(member);
  if (!isJsonObject(value)) return value;
  const keys = Object.keys(value);
  if (keys.length === 1 && keys[0] === "$ref") return read({ raw: value.$ref, at, form: "value" });
  if (keys.length === 1 && keys[0] === "$cel") return read({ raw: value.$cel, at, form: "cel" });
  return Object.fromEntries(keys.map((key) => [key, member(value[key], key)]));
}

function mapText(text: string, { at, read }: Mapping): string {
  return text.replace(/\$\{([^}]*)(\}?)/g, (whole, path: string, close: string) => {
    const raw = close === "" ? undefined : path;
    return raw?.trim() === "" ? whole : String(read({ raw, at, form: "text" }));
  });
}
