/** JSON Schemas from strangers: checked before use, compiled with and without code generation, and made fit for providers. @module */

export { createValidator } from "#validator";
export { type JsonSchemaValidator, type JsonSchemaVerdict, schemaDefect } from "./check-schema.ts";
export { closeSchema } from "./close-schema.ts";
export { argumentNames, requireLess } from "./input-schema.ts";
export { providerSchema } from "./provider-schema.ts";
export { type References, resolveReferences } from "./references.ts";
export { toStandardSchema } from "./standard-schema.ts";
export { listOf, mapSubschemas, objectOf, subschemasOf } from "./subschemas.ts";
