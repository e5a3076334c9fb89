import { isJsonObject } from "@toolrail/json";
import { joinPath } from "./problems.ts";

/** Where a value stands, and what is to come of its references. */
interface Mapping {
  readonly at: string;
  /** Writes the place of a member. Default: as a spec's problems name it, `steps[0].args`. */
  readonly join?: typeof joinPath;
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
export function mapReferences(
  value: unknown,
  { at: root, join = joinPath, read }: Mapping,
): unknown {
  const map = (inner: unknown, at: string): unknown => {
    if (typeof inner === "string") return mapText(inner, { at, read });
    if (Array.isArray(inner)) return inner.map((item, key) => map(item, join(at, key)));
    if (!isJsonObject(inner)) return inner;
    if (isReference(inner)) {
      return "$ref" in inner
        ? read({ raw: inner.$ref, at, form: "value" })
        : read({ raw: inner.$cel, at, form: "cel" });
    }
    const copy: Record<string, unknown> = { ...inner }; // Has the own keys: no assignment meets a setter.
    for (const key of Object.keys(inner)) copy[key] = map(inner[key], join(at, key));
    return copy;
  };
  return map(value, root);
}

/** True for a path or an expression by itself. */
export function isReference(value: unknown): boolean {
  const [key = "", ...more] = isJsonObject(value) ? Object.keys(value) : [];
  return more.length === 0 && (key === "$ref" || key === "$cel");
}

function mapText(text: string, { at, read }: Pick<Mapping, "at" | "read">): string {
  if (!text.includes("${")) return text;
  return text.replace(/\$\{([^}]*)(\}?)/g, (whole, path: string, close: string) => {
    const raw = close === "" ? undefined : path;
    return raw?.trim() === "" ? whole : String(read({ raw, at, form: "text" }));
  });
}
