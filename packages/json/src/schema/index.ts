/** JSON Schemas from strangers: checked before use, compiled with and without code generation, and made fit for providers. @module */

export { createPattern, createValidator } from "#validator";
export { argumentNames } from "./argument-names.ts";
export type { JsonSchemaValidator, JsonSchemaVerdict } from "./check-schema.ts";
export { schemaDefect } from "./check-schema.ts";
export { toStrictSchema } from "./close-schema.ts";
export { modelSchema } from "./provider-schema.ts";
export type { References } from "./references.ts";
export { resolveReferences } from "./references.ts";
export { requireLess } from "./require-less.ts";
export { toStandardSchema } from "./standard-schema.ts";
export { mapSubschemas, subschemasOf } from "./subschemas.ts";
export type { SchemaPlace } from "./walk-schema.ts";
export { listOf, objectOf, walkSchema } from "./walk-schema.ts";
