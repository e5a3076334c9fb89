/** JSON Schemas from strangers: checked before use, and made fit for providers. @module */

export { type JsonSchemaValidator, type JsonSchemaVerdict, schemaDefect } from "./check-schema.ts";
export { closeSchema, requireLess } from "./input-schema.ts";
export { providerSchema } from "./provider-schema.ts";
export { type References, resolveReferences } from "./references.ts";
export { toStandardSchema } from "./standard-schema.ts";
export { listOf, mapSubschemas, objectOf, subschemasOf } from "./subschemas.ts";
