import type { StandardSchemaV1 } from "@standard-schema/spec";
import { createOptionCheck, hasMethods } from "../check-options.ts";

/** A parser of results: any Standard Schema (zod, valibot, arktype, generated ones). An object has one for arguments and one for results. */
export type ToolSchema =
  | StandardSchemaV1
  | { readonly input?: StandardSchemaV1; readonly output?: StandardSchemaV1 };

/** The parsers by `server.tool`. */
export type ToolSchemas = { readonly [tool: string]: ToolSchema };

/** The arguments that a schema describes, or `never` if it describes none. */
export type SchemaArguments<Schema> = Schema extends StandardSchemaV1
  ? never
  : Schema extends { readonly input: infer Input extends StandardSchemaV1 }
    ? StandardSchemaV1.InferInput<Input>
    : never;

type ParserOf<Schema> = Schema extends StandardSchemaV1
  ? Schema
  : Schema extends { readonly output: infer Output extends StandardSchemaV1 }
    ? Output
    : StandardSchemaV1;

/** The output type of the parser of results. */
export type SchemaValue<Schema> = StandardSchemaV1.InferOutput<ParserOf<Schema>>;

const isParser = (value: unknown): value is StandardSchemaV1 =>
  hasMethods(Object(value)["~standard"], "validate");
const PARSER = { words: "a Standard Schema, such as one of zod", test: isParser };
const checkSchema = /* @__PURE__ */ createOptionCheck<{ input: unknown; output: unknown }>(
  "schemas",
  { input: PARSER, output: PARSER },
);

/** Collects the parsers of results and those of arguments, by the ids of their tools. Throws `invalid-options` for anything else. */
export function collectParsers(schemas: ToolSchemas) {
  const parsers = new Map<string, StandardSchemaV1>();
  const inputParsers = new Map<string, StandardSchemaV1>();
  for (const [id, schema] of Object.entries<ToolSchema>(schemas)) {
    if (isParser(schema)) {
      parsers.set(id, schema);
      continue;
    }
    checkSchema(schema, `schemas["${id}"]`);
    const { input, output } = schema ?? {};
    if (input) inputParsers.set(id, input);
    if (output) parsers.set(id, output);
  }
  return { parsers, inputParsers };
}
