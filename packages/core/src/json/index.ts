/** JSON from outside: its values, its texts, and the schemas of tools. @module */

export type { JsonSchemaValidator, JsonSchemaVerdict } from "./check-schema.ts";
export { canonicalJson, isJsonObject, type JsonObject, sha256 } from "./json.ts";
export { plainText } from "./plain-text.ts";
export { providerSchema } from "./provider-schema.ts";
export { createValidator } from "./validator.ts";
