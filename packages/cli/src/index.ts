/** The command `toolrail` as a function. @module */

export type { Context, Output } from "./context.ts";
export { type ExitCode, runToolrail } from "./run-toolrail.ts";
