import type { StandardSchemaV1 } from "@standard-schema/spec";
import { hasMethods } from "../check-options.ts";
import { invalidOptions } from "../errors.ts";

/** The parsers of `structuredContent` by `server.tool`: any Standard Schema (zod, valibot, arktype, generated ones). */
export type ToolSchemas = { readonly [tool: string]: StandardSchemaV1 };

/** Reads the parsers of results by the ids of their tools. Throws `invalid-options` for anything else. */
export function readParsers(schemas: ToolSchemas): ReadonlyMap<string, StandardSchemaV1> {
  const parsers = Object.entries(schemas);
  const wrong = parsers.find(([, parser]) => !hasMethods(Object(parser)["~standard"], "validate"));
  if (!wrong) return new Map(parsers);
  const message = `schemas["${wrong[0]}"] must be a Standard Schema, such as one of zod, which parses the tool's structuredContent.`;
  throw invalidOptions(message);
}
