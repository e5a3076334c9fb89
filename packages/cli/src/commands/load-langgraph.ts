import type { CallOptions, Host } from "@toolrail/core";
import type { runPipe } from "@toolrail/core/pipe";
import { UsageError } from "../usage-error.ts";

/** Loads an engine that runs a pipe as a LangGraph graph. Throws `UsageError` where it is not installed. */
export async function loadLanggraph(): Promise<typeof runPipe> {
  const { compilePipe } = await import("@toolrail/langgraph").catch((cause) => {
    if (cause.code !== "ERR_MODULE_NOT_FOUND") throw cause;
    throw new UsageError(
      "--engine langgraph needs packages that are not installed next to @toolrail/cli: " +
        "npm install @toolrail/cli @toolrail/langgraph @langchain/langgraph @langchain/core",
      { cause },
    );
  });
  return (host, { spec, limits, vars, signal, scope, userText }) =>
    compilePipe(withStated(host, { signal, scope, userText }), {
      spec,
      ...(limits && { limits }),
    }).invoke({ vars });
}

/** Aborts the calls and not the graph, which would forget the steps that are done; and says whose calls they are. */
function withStated(host: Host, { signal, ...stated }: CallOptions): Host {
  const run: Host["run"] = (request, options) =>
    host.run(request, { ...options, ...stated, ...(signal && { signal }) });
  return Object.create(host, { run: { value: run } }) as Host;
}
