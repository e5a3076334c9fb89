/** The command `toolrail` as a function. @module */

export { type Context, type ExitCode, type Output, runToolrail } from "./run-toolrail.ts";
