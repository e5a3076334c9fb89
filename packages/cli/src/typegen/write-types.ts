import type { HostTool, JsonObject } from "@toolrail/core";
import { compile, type JSONSchema, type Options } from "json-schema-to-typescript";
import { plainSchema } from "./plain-schema.ts";

/** TypeScript, and what it could not say. */
export interface Written {
  readonly source: string;
  /** Tools whose schemas cannot be written as types: they are `unknown`. */
  readonly untyped: readonly string[];
}

const OPTIONS: Partial<Options> = {
  additionalProperties: true,
  bannerComment: "",
  enableConstEnums: false,
  ignoreMinAndMaxItems: true,
  unknownAny: true,
  // What a schema refers to outside itself is never read.
  $refOptions: { resolve: { external: false, file: false, http: false } },
};

/** Declares `ToolTypes`: arguments and result by the id of a tool. A schema that cannot be written stops no other. */
export async function writeTypes(tools: readonly HostTool[]): Promise<Written> {
  try {
    return { source: await compileAll(tools, new Set()), untyped: [] };
  } catch {
    const untyped = new Set<string>();
    for (const tool of tools) {
      await compileAll([tool], new Set()).catch(() => untyped.add(tool.id));
    }
    return { source: await compileAll(tools, untyped), untyped: [...untyped] };
  }
}

function compileAll(tools: readonly HostTool[], untyped: ReadonlySet<string>): Promise<string> {
  const properties = Object.fromEntries(
    tools.map((tool) => [tool.id, untyped.has(tool.id) ? {} : typesOf(tool)]),
  );
  return compile(closed(properties) as JSONSchema, "ToolTypes", OPTIONS);
}

function typesOf({ id, description = "", inputSchema, outputSchema }: HostTool): JsonObject {
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
