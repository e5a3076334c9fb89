import { ToolrailError } from "../errors.ts";
import { isJsonObject, weigh } from "../json.ts";
import { type ReferencePath, readReference } from "./references.ts";
import type { Template } from "./template.ts";

/** What references of a run read: the roots of every path. */
export interface Scope {
  readonly vars: object;
  readonly steps: object;
  readonly last?: unknown;
  /** True where a reference to a part of what is `HIDDEN` reads `HIDDEN`. */
  readonly isForModel?: boolean;
}

/**
 * Builds the value of a template. Texts are measured before they are built, against `maxBytes` in all.
 * What is inserted is never read again. Throws `unresolved-reference` or `pipe-limit`.
 */
export function resolveTemplate(template: Template, scope: Scope, maxBytes: number): unknown {
  const room = { left: maxBytes };
  return resolve(template, scope, room, maxBytes);
}

interface Room {
  left: number;
}

function resolve(template: Template, scope: Scope, room: Room, maxBytes: number): unknown {
  switch (template.type) {
    case "value":
      return copyOf(template.value);
    case "reference":
      return read(scope, template.path);
    case "list":
      return template.items.map((item) => resolve(item, scope, room, maxBytes));
    case "object": {
      const built: Record<string, unknown> = {};
      for (const [key, entry] of template.entries) {
        built[key] = resolve(entry, scope, room, maxBytes);
      }
      return built;
    }
    case "text": {
      let text = "";
      for (const part of template.parts) {
        text += typeof part === "string" ? part : insert(read(scope, part), part, room, maxBytes);
      }
      return text;
    }
  }
}

/** A literal of the spec for one run: whoever changes it must not change the next run. */
export function copyOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copyOf);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, copyOf(inner)]));
}

function read(scope: Scope, path: ReferencePath): unknown {
  const reading = readReference(scope, path, { hidden: scope.isForModel === true });
  if (reading.found) return reading.value;
  throw new ToolrailError(
    "unresolved-reference",
    `"${path.text}" cannot be read: ${reading.message}`,
  );
}

/** The text of a value, taken off the room that is left before it is made. */
function insert(value: unknown, path: ReferencePath, room: Room, maxBytes: number): string {
  if (value === null || value === undefined) return "";
  const weight =
    typeof value === "string"
      ? value.length
      : weigh(value, { maxBytes: Math.max(room.left, 0), maxDepth: 256 });
  if (typeof weight === "string" || weight > room.left) {
    throw new ToolrailError(
      "pipe-limit",
      `"${path.text}" makes a value larger than ${maxBytes} bytes; pass it as {"$ref": "${path.text}"}, or less of it`,
    );
  }
  room.left -= weight;
  return typeof value === "string" ? value : JSON.stringify(value);
}
