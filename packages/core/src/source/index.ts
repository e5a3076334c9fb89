// Policies by where arguments came from. Everything exported here is public API.

export { type AskUnlessFromOptions, askUnlessFrom } from "./ask-unless-from.ts";
export { askWhenFrom, denyWhenFrom, type WhenFromOptions } from "./ask-when-from.ts";
export type { SourceNames, Targets } from "./targets.ts";
export { trackSources } from "./track-sources.ts";
