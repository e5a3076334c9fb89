/** JSON from strangers: measured, compared, read by paths and quoted in bounded time. @module */

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
