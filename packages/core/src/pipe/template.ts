import { isJsonObject } from "../json.ts";
import { joinPath } from "./pipe-problem.ts";
import { parseReference, type ReferencePath } from "./references.ts";

/** A value of a spec with its references taken apart, so that a run only has to read them. */
export type Template =
  | { readonly type: "value"; readonly value: unknown }
  | { readonly type: "reference"; readonly path: ReferencePath }
  | { readonly type: "text"; readonly parts: readonly (string | ReferencePath)[] }
  | { readonly type: "list"; readonly items: readonly Template[] }
  | { readonly type: "object"; readonly entries: readonly (readonly [string, Template])[] };

/** Told of everything found while a template is made. */
export interface TemplateSink {
  problem(path: string, message: string): void;
  reference(path: string, reference: ReferencePath): void;
}

/** Takes a value apart. Recursive: the value's depth must have been measured. */
export function compileTemplate(value: unknown, path: string, sink: TemplateSink): Template {
  if (typeof value === "string") return compileText(value, path, sink);
  if (Array.isArray(value)) {
    const items = value.map((item, at) => compileTemplate(item, joinPath(path, at), sink));
    return items.every(isValue) ? { type: "value", value } : { type: "list", items };
  }
  if (!isJsonObject(value)) return { type: "value", value };
  const keys = Object.keys(value);
  if (keys.length === 1 && keys[0] === "$ref") return compileReference(value.$ref, path, sink);
  const entries = keys.map((key) => {
    return [key, compileTemplate(value[key], joinPath(path, key), sink)] as const;
  });
  const plain = entries.every(([, entry]) => isValue(entry));
  return plain ? { type: "value", value } : { type: "object", entries };
}

function isValue(template: Template): boolean {
  return template.type === "value";
}

function compileReference(raw: unknown, path: string, sink: TemplateSink): Template {
  const reference =
    typeof raw === "string" ? parseReference(raw) : "$ref must be a path such as steps.a.text";
  if (typeof reference === "string") {
    sink.problem(path, reference);
    return { type: "value", value: null };
  }
  sink.reference(path, reference);
  return { type: "reference", path: reference };
}

function compileText(text: string, path: string, sink: TemplateSink): Template {
  if (!text.includes("${")) return { type: "value", value: text };
  const parts: (string | ReferencePath)[] = [];
  let from = 0;
  for (let at = text.indexOf("${"); at >= 0; at = text.indexOf("${", from)) {
    const end = text.indexOf("}", at);
    if (end < 0) {
      sink.problem(
        path,
        "a reference is opened with $ and { and not closed with }; close it, or put the text into vars, where it stays text",
      );
      break;
    }
    const inner = text.slice(at + 2, end);
    if (inner.trim() === "") {
      parts.push(text.slice(from, end + 1));
    } else {
      const reference = parseReference(inner);
      if (typeof reference === "string") sink.problem(path, reference);
      else {
        sink.reference(path, reference);
        if (at > from) parts.push(text.slice(from, at));
        parts.push(reference);
      }
    }
    from = end + 1;
  }
  if (from < text.length) parts.push(text.slice(from));
  const literal = parts.every((part) => typeof part === "string");
  return literal ? { type: "value", value: text } : { type: "text", parts };
}
