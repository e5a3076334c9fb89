import type { Tool } from "@toolrail/core";
import type { JsonObject } from "@toolrail/json";
import { plainText } from "@toolrail/json";
import { mapSubschemas } from "@toolrail/json/schema";
import { compile, type JSONSchema, type Options } from "json-schema-to-typescript";

/** A module, and what it could not say. */
export interface Written {
  readonly source: string;
  /** Tools whose schemas cannot be written as types: they are `unknown`. */
  readonly untyped: readonly string[];
}

const HEAD = `// Written by \`toolrail typegen\` from what the servers list. Do not edit: run it again.
import { toStandardSchema } from "@toolrail/json/schema";
`;

const OPTIONS: Partial<Options> = {
  additionalProperties: true,
  bannerComment: "",
  enableConstEnums: false,
  ignoreMinAndMaxItems: true,
  unknownAny: true,
  // What a schema refers to outside itself is never read.
  $refOptions: { resolve: { external: false, file: false, http: false } },
};

/**
 * Writes a module: `ToolTypes`, arguments and result by the id of a tool, and `schemas`, which type the arguments of
 * every tool and parse results where it says what they are. A schema that cannot be written stops no other.
 */
export async function writeModule(tools: readonly Tool[]): Promise<Written> {
  const untyped = new Set<string>();
  const types = await compileTypes(tools, untyped).catch(async () => {
    for (const tool of tools) {
      await compileTypes([tool], untyped).catch(() => untyped.add(tool.id));
    }
    return compileTypes(tools, untyped);
  });
  const entries = tools.flatMap((tool) => schemasOf(tool, !untyped.has(tool.id)));
  const schemas = `/** Types of the tools' arguments and parsers of their results, for \`createHost({ servers, schemas })\`. */
export const schemas = {
${entries.join("\n")}
};
`;
  // A code means the same to TypeScript, and no editor or terminal shows other code than there is.
  const source = plainText([HEAD, types, schemas].join("\n"));
  return { source, untyped: [...untyped] };
}

function compileTypes(tools: readonly Tool[], untyped: ReadonlySet<string>): Promise<string> {
  const properties = tools.map(
    (tool) => [tool.id, untyped.has(tool.id) ? {} : typesOf(tool)] as const,
  );
  return compile(closed(Object.fromEntries(properties)) as JSONSchema, "ToolTypes", OPTIONS);
}

function typesOf({ id, description = "", inputSchema, outputSchema }: Tool): JsonObject {
  const key = encodeURIComponent(id.replaceAll("~", "~0").replaceAll("/", "~1"));
  const place = `#/properties/${key}/properties`;
  const result = outputSchema && { result: plainSchema(outputSchema, `${place}/result`) };
  const types = { arguments: plainSchema(inputSchema, `${place}/arguments`), ...result };
  return { description, ...closed(types) };
}

function closed(properties: JsonObject): JsonObject {
  const required = Object.keys(properties);
  return { type: "object", properties, required, additionalProperties: false };
}

/** The entry of a tool in `schemas`; none where there is nothing to say of it. */
function schemasOf({ id, outputSchema }: Tool, isTyped: boolean): string[] {
  const key = JSON.stringify(id);
  const side = (name: string, { type, schema }: { type: string; schema: JsonObject }) => {
    const written = isTyped ? `ToolTypes[${key}]["${type}"]` : "unknown";
    return `    ${name}: toStandardSchema<${written}>(${literal(schema)}),`;
  };
  // Arguments are checked by the server's own schema: `{}` takes all of them.
  const input = isTyped ? [side("input", { type: "arguments", schema: {} })] : [];
  const output = outputSchema ? [side("output", { type: "result", schema: outputSchema })] : [];
  const sides = [...input, ...output];
  return sides.length > 0 ? [`  ${key}: {\n${sides.join("\n")}\n  },`] : [];
}

/** JSON as an expression: `"__proto__": …` would set the prototype of an object literal. */
function literal(value: object): string {
  return JSON.stringify(value, null, 2)
    .replaceAll('"__proto__":', '["__proto__"]:')
    .replaceAll("\n", "\n    ");
}

/**
 * Keywords that say nothing of a type, or mean something else to the writer than to JSON Schema.
 * `tsType` and `tsEnumNames` would be written into the module as they stand: code of an untrusted server.
 */
const LEFT_OUT = new Set(
  "$schema $id id $anchor title default examples extends tsType tsEnumNames".split(" "),
);

/** Makes an untrusted schema one that may be written as types inside another, its references pointing to `place`. */
function plainSchema(schema: JsonObject, place: string): JsonObject {
  const { prefixItems, items, ...rest } = mapSubschemas(schema, (inner) =>
    plainSchema(inner, place),
  );
  // The writer knows the tuples of draft-07.
  const tuple = Array.isArray(prefixItems)
    ? { items: prefixItems, additionalItems: items ?? true }
    : items !== undefined && { items };
  const { $ref } = schema;
  const reference = typeof $ref === "string" && { $ref: $ref.replace(/^#/, place) };
  const kept = Object.entries({ ...rest, ...tuple, ...reference });
  return Object.fromEntries(kept.filter(([key]) => !LEFT_OUT.has(key)));
}
