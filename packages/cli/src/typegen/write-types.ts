import type { HostTool, JsonObject } from "@toolrail/core";
import { compile, type JSONSchema, type Options } from "json-schema-to-typescript";
import { plainSchema } from "./plain-schema.ts";

/** Types of tools, as TypeScript. */
export interface ToolTypes {
  /** Declares `ToolTypes`, from a tool's id to the types of its arguments and its result. */
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

/** Writes the types of all tools; a schema that cannot be written does not stop the others. */
export async function writeTypes(tools: readonly HostTool[]): Promise<ToolTypes> {
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
  const root = closed(properties);
  return compile(root as JSONSchema, "ToolTypes", OPTIONS);
}

function typesOf(tool: HostTool): JsonObject {
  const { id, description = "", inputSchema, outputSchema } = tool;
  const place = `#/properties/${escapePointer(id)}/properties`;
  const typed = (schema: JsonObject, key: string) => ({
    ...plainSchema(schema, `${place}/${key}`),
    title: typeName(tool, key),
  });
  return {
    description,
    ...closed({
      arguments: typed(inputSchema, "arguments"),
      ...(outputSchema && { result: typed(outputSchema, "result") }),
    }),
  };
}

function closed(properties: JsonObject): JsonObject {
  const required = Object.keys(properties);
  return { type: "object", properties, required, additionalProperties: false };
}

/** `bank.get_balance` and `result` make `BankGetBalanceResult`. */
function typeName({ id }: HostTool, key: string): string {
  return [...id.split(/[^A-Za-z0-9]+/), key]
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join("");
}

function escapePointer(key: string): string {
  return encodeURIComponent(key.replaceAll("~", "~0").replaceAll("/", "~1"));
}
