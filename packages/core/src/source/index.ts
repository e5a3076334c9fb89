/** Where the arguments of a call came from, and policies by that. @module */

export { type AskUnlessFromOptions, askUnlessFrom } from "./ask-unless-from.ts";
export { askWhenFrom, denyWhenFrom } from "./ask-when-from.ts";
export type { SourceNames, SourcePolicyOptions } from "./source-policy.ts";
export { trackSources } from "./track-sources.ts";
