import { ToolrailError } from "../errors.ts";
import type { StartProgram } from "./process-transport.ts";

/** Refuses to start a program on runtimes without Node, and imports nothing for it. */
export const startProgram: StartProgram = async () => {
  const message =
    "stdio() starts a program, which only Node can. Reach the server by its address: http(url).";
  throw new ToolrailError("invalid-options", message);
};
