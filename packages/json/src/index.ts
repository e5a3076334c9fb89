/** JSON from strangers: measured, compared, read by paths and quoted in bounded time. @module */

export { hasHiddenText, hiddenTextIn } from "./hidden-text.ts";
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
export { withJson } from "./json-text.ts";
export {
  escapePointer,
  isWithin,
  joinKey,
  parsePath,
  pathKey,
  type Reading,
  readPath,
} from "./path.ts";
export { messageOf, plainText, quoted, shorten } from "./plain-text.ts";
export { ambiguityIn } from "./strict-parse.ts";
