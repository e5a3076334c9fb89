/** The command `toolrail` as a function. @module */

export type { Context, Output } from "./command.ts";
export { type ExitCode, runToolrail } from "./run-toolrail.ts";
