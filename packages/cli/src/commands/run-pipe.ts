import { drawMermaid, type PipeLimits, parsePipe, runPipe } from "@toolrail/core/pipe";
import type { CommandCall, Outcome } from "../command.ts";
import { parseJsonObject, readText } from "../read-input.ts";
import { renderPipe } from "../report/pipe-report.ts";
import { loadLanggraph } from "./load-langgraph.ts";
import { SCOPE } from "./read-policies.ts";
import { withHost } from "./with-host.ts";

/** Runs a pipe, or draws it and runs nothing. Rejects with `invalid-pipe` for a spec that is refused. */
export async function runPipeCommand({ args, flags, context }: CommandCall): Promise<Outcome> {
  const spec = await readText(args[0] ?? "-", { ...context, what: "The spec" });
  const vars = parseJsonObject(flags.vars ?? "{}", "--vars");
  const { maxDepth, maxSteps, maxParallel, graph } = flags;
  const engine = flags.engine === "langgraph" && !graph ? await loadLanggraph() : runPipe;
  const limits = { maxDepth, maxSteps, maxParallel } as Partial<PipeLimits>;
  return withHost({ flags, context }, async ({ host }): Promise<Outcome> => {
    const pipe = parsePipe(host, { spec, limits, vars });
    if (graph) {
      const drawn = drawMermaid(pipe);
      return { ok: true, document: { ok: true, graph: drawn }, text: () => drawn.trimEnd() };
    }
    const stated = { scope: SCOPE, userText: flags.vars };
    const options = { spec: pipe, limits, vars, signal: context.signal, ...stated };
    const result = await engine(host, options);
    const { ok } = result;
    return { ok, document: result, text: (style) => renderPipe(pipe, { result, style }) };
  });
}
