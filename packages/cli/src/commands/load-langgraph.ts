import type { runPipe } from "@toolrail/core";
import { UsageError } from "../usage-error.ts";

/** Loads the engine that runs a pipe as a LangGraph graph. Throws `UsageError` where it is not installed. */
export async function loadLanggraph(): Promise<typeof runPipe> {
  throw new UsageError(
    "--engine langgraph needs @toolrail/langgraph: npm install @toolrail/langgraph",
  );
}
