import type { CallOptions, Decision, Host } from "@toolrail/core";
import { type PipeLimits, parsePipe, resumePipe, runPipe } from "@toolrail/pipe";
import type { CommandCall, Outcome } from "../command.ts";
import { parseJsonObject, readText } from "../read-input.ts";
import { renderPipe } from "../report/pipe-report.ts";
import { UsageError } from "../usage-error.ts";
import { CONVERSATION } from "./read-policies.ts";
import { withHost } from "./with-host.ts";

/** Runs a pipe. Rejects with `invalid-pipe` if the spec is refused. */
export async function runPipeCommand({ args, flags, context }: CommandCall): Promise<Outcome> {
  const spec = await readText(args[0] ?? "-", { ...context, what: "The spec" });
  const vars = parseJsonObject(flags.vars ?? "{}", "--vars");
  const { maxDepth, maxSteps, maxParallel } = flags;
  const engine = flags.engine === "langgraph" ? await loadLanggraph() : runPipe;
  const limits = { maxDepth, maxSteps, maxParallel } as Partial<PipeLimits>;
  return withHost({ flags, context }, async ({ host, approve }): Promise<Outcome> => {
    const pipe = parsePipe(host, { spec, limits, vars });
    const stated = { conversation: CONVERSATION, userText: flags.vars };
    const options = { spec: pipe, limits, vars, signal: context.signal, ...stated };
    let result = await engine(host, { ...options, pauses: approve !== undefined });
    while (result.paused && approve) {
      const { id, asks } = result.paused;
      const answers: Record<string, Decision> = {};
      for (const { path, pending } of asks) answers[path] = await approve(pending);
      result = await resumePipe(host, {
        id,
        answers,
        signal: context.signal,
        ...stated,
      });
    }
    const { ok } = result;
    return { ok, document: result, text: (style) => renderPipe(pipe, { result, style }) };
  });
}

/** Loads the engine that runs a pipe as a LangGraph graph. Throws `UsageError` if it is not installed. */
async function loadLanggraph(): Promise<typeof runPipe> {
  const { compilePipe } = await import("@toolrail/langgraph/pipe").catch((cause) => {
    if (cause.code !== "ERR_MODULE_NOT_FOUND") throw cause;
    throw new UsageError(
      "--engine langgraph needs packages that are not installed next to @toolrail/cli: " +
        "npm install @toolrail/cli @toolrail/langgraph @langchain/langgraph @langchain/core",
      { cause },
    );
  });
  return (host, { spec, limits, vars, signal, conversation, userText }) =>
    compilePipe(withStated(host, { signal, conversation, userText }), {
      spec,
      ...(limits && { limits }),
    }).invoke({ vars });
}

/** Passes the signal and the caller to the calls only. An aborted graph would lose the steps that are done. */
function withStated(host: Host, { signal, ...stated }: CallOptions): Host {
  const run: Host["run"] = (request, options) =>
    host.run(request, { ...options, ...stated, ...(signal && { signal }) });
  return Object.create(host, { run: { value: run } }) as Host;
}
