import type { Host, Pipe, PipeResult, RunPipeOptions } from "@toolrail/core";
import { UsageError } from "../usage-error.ts";

/** Runs a pipe, as `runPipe` of the core does. */
export type RunEngine = (pipe: Pipe, host: Host, options: RunPipeOptions) => Promise<PipeResult>;

/**
 * Loads the engine that compiles a pipe to a LangGraph graph and runs that. Throws `UsageError` where
 * it is not installed.
 */
export async function loadLanggraph(): Promise<RunEngine> {
  const { compilePipe } = await importLanggraph();
  return async (pipe, host, { limits, signal }) => {
    const graph = compilePipe(pipe, withSignal(host, signal), limits ? { limits } : {});
    return graph.invoke({});
  };
}

/** Aborts the calls and not the graph, which would forget the steps that are done. */
function withSignal(host: Host, signal: AbortSignal | undefined): Host {
  const run: Host["run"] = (request, options) =>
    host.run(request, { ...options, ...(signal && { signal }) });
  return Object.create(host, { run: { value: run } }) as Host;
}

async function importLanggraph() {
  try {
    return await import("@toolrail/langgraph");
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== "ERR_MODULE_NOT_FOUND") throw cause;
    throw new UsageError(
      "--engine langgraph needs packages that are not installed beside @toolrail/cli: " +
        "npm install @toolrail/cli @toolrail/langgraph @langchain/langgraph @langchain/core",
      { cause },
    );
  }
}
