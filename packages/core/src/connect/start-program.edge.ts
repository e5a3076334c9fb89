import { ToolrailError } from "../errors.ts";
import type { StartProgram } from "./process-transport.ts";

/** Refuses to start a program where there is no Node, and loads nothing of it. */
export const startProgram: StartProgram = async () => {
  const message =
    "stdio() starts a program, which only Node can. Reach the server by its address: http(url).";
  throw new ToolrailError("invalid-options", message);
};
