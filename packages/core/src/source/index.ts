// Policies based on where arguments came from. Everything exported here is public API.

export { type AskUnlessFromOptions, askUnlessFrom } from "./ask-unless-from.ts";
export { askWhenFrom, denyWhenFrom } from "./ask-when-from.ts";
export type { SourcePolicyOptions } from "./source-policy.ts";
export type { SourceNames } from "./source-words.ts";
export { trackSources } from "./track-sources.ts";
