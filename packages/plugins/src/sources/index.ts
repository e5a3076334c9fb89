/** The sources of the arguments of calls, and policies about them. @module */

export { type AskUnlessFromOptions, askUnlessFrom, askWhenFrom, denyWhenFrom } from "./policies.ts";
export type { SourceNames, SourcePolicyOptions } from "./source-policy.ts";
export { type Note, note, type SourcesOptions, sources } from "./sources.ts";
