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

/** The type of the results that the parser accepts, as servers send them. */
export type SchemaContent<Schema> = StandardSchemaV1.InferInput<ParserOf<Schema>>;

const PARSER = {
  words: "a Standard Schema, such as one of zod",
  test: (value: unknown) => hasMethods(Object(value)["~standard"], "validate"),
};
const checkSchema = /* @__PURE__ */ createOptionCheck<{ input: unknown; output: unknown }>(
  "schemas",
  { input: PARSER, output: PARSER },
);

/** Collects the parsers of arguments or of results, by the ids of their tools. Throws `invalid-options` for anything else. */
export function collectParsers(
  schemas: ToolSchemas,
  side: "input" | "output",
): ReadonlyMap<string, StandardSchemaV1> {
  const parsers = new Map<string, StandardSchemaV1>();
  for (const [id, schema] of Object.entries<ToolSchema>(schemas)) {
    const isOutput = PARSER.test(schema);
    if (!isOutput) checkSchema(schema, `schemas["${id}"]`);
    const sides = (isOutput ? { output: schema } : Object(schema)) as Exclude<
      ToolSchema,
      StandardSchemaV1
    >;
    const { [side]: parser } = sides;
    if (parser) parsers.set(id, parser);
  }
  return parsers;
}
