import type { Tool } from "@toolrail/core";
import type { JsonObject } from "@toolrail/json";
import { plainText } from "@toolrail/json";
import { mapSubschemas } from "@toolrail/json/schema";
import { compile, type JSONSchema, type Options } from "json-schema-to-typescript";

/** A module, and the tools without types. */
export interface Written {
  readonly source: string;
  /** The tools whose schemas cannot be written as types. Their types are `unknown`. */
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
  // A reference out of a schema is never followed.
  $refOptions: { resolve: { external: false, file: false, http: false } },
};

/**
 * Writes a module with `ToolTypes`, the arguments and results of tools by their ids, and `schemas`, which types the arguments of
 * every tool and parses results with an output schema. A schema that cannot be written affects no other tool.
 */
export async function writeModule(tools: readonly Tool[]): Promise<Written> {
  const untyped = new Set<string>();
  const types = await compileTypes(tools, untyped).catch(async () => {
    for (const tool of tools) {
      await compileTypes([tool], untyped).catch(() => untyped.add(tool.id));
    }
    return compileTypes(tools, untyped);
  });
  const entries = tools.flatMap((tool) => writeEntry(tool, !untyped.has(tool.id)));
  const schemas = `/** Types of the tools' arguments and parsers of their results, for \`createHost({ servers, schemas })\`. */
export const schemas = {
${entries.join("\n")}
};
`;
  // Escaped characters mean the same to TypeScript, and an editor or terminal shows all of the code.
  const source = plainText([HEAD, types, schemas].join("\n"));
  return { source, untyped: [...untyped] };
}

function compileTypes(tools: readonly Tool[], untyped: ReadonlySet<string>): Promise<string> {
  const properties = tools.map(
    (tool) => [tool.id, untyped.has(tool.id) ? {} : toTypes(tool)] as const,
  );
  return compile(closed(Object.fromEntries(properties)) as JSONSchema, "ToolTypes", OPTIONS);
}

function toTypes({ id, description = "", inputSchema, outputSchema }: Tool): JsonObject {
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

/** Writes the entries of a tool in `schemas`. There is none without a type or an output schema. */
function writeEntry({ id, outputSchema }: Tool, isTyped: boolean): string[] {
  const key = JSON.stringify(id);
  const writeSide = (name: string, { type, schema }: { type: string; schema: JsonObject }) => {
    const written = isTyped ? `ToolTypes[${key}]["${type}"]` : "unknown";
    return `    ${name}: toStandardSchema<${written}>(${literal(schema)}),`;
  };
  // The server's schema checks the arguments, so `{}` is enough here.
  const input = isTyped ? [writeSide("input", { type: "arguments", schema: {} })] : [];
  const output = outputSchema
    ? [writeSide("output", { type: "result", schema: outputSchema })]
    : [];
  const sides = [...input, ...output];
  return sides.length > 0 ? [`  ${key}: {\n${sides.join("\n")}\n  },`] : [];
}

/** Writes JSON as an expression, since `"__proto__": …` would set the prototype of an object literal. */
function literal(value: object): string {
  return JSON.stringify(value, null, 2)
    .replaceAll('"__proto__":', '["__proto__"]:')
    .replaceAll("\n", "\n    ");
}

/**
 * The keywords that have no meaning for a type, or a different one for the type writer than in JSON Schema. `tsType` and
 * `tsEnumNames` would be copied into the module: code of an untrusted server.
 */
const LEFT_OUT = new Set(
  "$schema $id id $anchor title default examples extends tsType tsEnumNames".split(" "),
);

/** Converts an untrusted schema so that it can be a part of a larger schema. Its references then point to `place`. */
function plainSchema(schema: JsonObject, place: string): JsonObject {
  const { prefixItems, items, ...rest } = mapSubschemas(schema, (inner) =>
    plainSchema(inner, place),
  );
  // The type writer supports the tuples of draft-07.
  const tuple = Array.isArray(prefixItems)
    ? { items: prefixItems, additionalItems: items ?? true }
    : items !== undefined && { items };
  const { $ref } = schema;
  const reference = typeof $ref === "string" && { $ref: $ref.replace(/^#/, place) };
  const kept = Object.entries({ ...rest, ...tuple, ...reference });
  return Object.fromEntries(kept.filter(([key]) => !LEFT_OUT.has(key)));
}
