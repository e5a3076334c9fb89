// Everything exported here is public API.

export type { Context, Output } from "./command.ts";
export { type ExitCode, runToolrail } from "./run-toolrail.ts";
