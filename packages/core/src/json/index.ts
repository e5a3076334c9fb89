/** JSON from strangers: measured, compared, read by paths and quoted in bounded time. @module */

export { type JsonSchemaValidator, type JsonSchemaVerdict, schemaDefect } from "./check-schema.ts";
export { closeSchema, requireLess } from "./input-schema.ts";
export {
  canonicalJson,
  copyJson,
  isJsonObject,
  JsonError,
  type JsonObject,
  measure,
  pollutingKey,
  sha256,
  weigh,
} from "./json.ts";
export { ambiguityIn, parseJsonText, withJson } from "./json-text.ts";
export {
  escapePointer,
  joinKey,
  parsePath,
  pathKey,
  type Reading,
  readPath,
} from "./path.ts";
export { hasHiddenText, messageOf, plainLine, plainText, quoted, shorten } from "./plain-text.ts";
export { providerSchema } from "./provider-schema.ts";
export { type References, resolveReferences } from "./references.ts";
export { toStandardSchema } from "./standard-schema.ts";
export { listOf, mapSubschemas, objectOf, subschemasOf } from "./subschemas.ts";
export { createValidator } from "./validator.ts";
