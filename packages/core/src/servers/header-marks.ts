import type { JsonObject } from "@toolrail/json";
import { subschemasOf } from "@toolrail/json/schema";

const KEYWORD = "x-mcp-header";
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const PRIMITIVES: readonly unknown[] = ["string", "integer", "boolean"];

/** A part of an input schema that is marked with `x-mcp-header` (MCP 2026-07-28, SEP-2243). */
interface Mark {
  readonly header: unknown;
  readonly type: unknown;
  readonly path: readonly string[];
  /** True if the path leads through `properties` alone, so that it is the path of an argument. */
  readonly isArgument: boolean;
}

/** Returns why the `x-mcp-header` marks of an input schema are illegal, or `undefined`. Expects a schema without defects. */
export function headerDefect(inputSchema: JsonObject): string | undefined {
  const taken = new Set<string>();
  for (const { header, type, path, isArgument } of readMarks(inputSchema)) {
    const where = `the ${KEYWORD} at ${JSON.stringify(path.join(".").slice(0, 200))}`;
    if (!isArgument) return `${where} must be on an argument reached only through \`properties\``;
    if (typeof header !== "string" || !TOKEN.test(header)) {
      return `${where} must be the name of an HTTP header, without spaces or special characters`;
    }
    if (!PRIMITIVES.includes(type)) return `${where} needs the type string, integer or boolean`;
    if (taken.has(header.toLowerCase())) return `${where} names the same header as another one`;
    taken.add(header.toLowerCase());
  }
  return undefined;
}

export function readMarks(root: JsonObject): Mark[] {
  const marks: Mark[] = [];
  const visit = (schema: JsonObject, { path, isArgument }: Pick<Mark, "path" | "isArgument">) => {
    const { type, [KEYWORD]: header } = schema;
    if (header !== undefined) {
      marks.push({ header, type, path, isArgument: isArgument && path.length > 0 });
    }
    for (const { schema: part, role, keyword, key = keyword } of subschemasOf(schema)) {
      if (role === "unknown") continue;
      visit(part, { path: [...path, key], isArgument: isArgument && keyword === "properties" });
    }
  };
  visit(root, { path: [], isArgument: true });
  return marks;
}
