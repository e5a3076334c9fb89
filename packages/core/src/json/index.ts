/** JSON from outside: its values, its texts, and the schemas of tools. @module */

export { providerSchema } from "./input-schema.ts";
export { canonicalJson, isJsonObject, type JsonObject, sha256 } from "./json.ts";
export { plainText } from "./plain-text.ts";
export { readShape, shapeProblems } from "./shape.ts";
export { createValidator, type JsonSchemaValidator, type JsonSchemaVerdict } from "./validator.ts";
