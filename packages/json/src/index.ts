/** JSON from strangers: measured, compared, read by paths and quoted in bounded time. @module */

export { sha256 } from "./hash.ts";
export { hasHiddenText, hiddenTextIn } from "./hidden-text.ts";
export type { JsonObject } from "./json.ts";
export { canonicalJson, copyJson, isJsonObject, measure, pollutingKey, weigh } from "./json.ts";
export { JsonError } from "./json-error.ts";
export { withJson } from "./json-text.ts";
export type { Reading } from "./path.ts";
export { escapePointer, joinKey, parsePath, pathKey, readPath } from "./path.ts";
export { messageOf, plainText, quoted, shorten } from "./plain-text.ts";
export { ambiguityIn } from "./strict-parse.ts";
