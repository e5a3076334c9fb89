import { checkPipe, drawMermaid, type Pipe, type PipeResult, runPipe } from "@toolrail/core";
import type { Context } from "../context.ts";
import type { Outcome } from "../outcome.ts";
import { readText } from "../read-input.ts";
import { renderPipe, renderRefusedPipe } from "../report/pipe-report.ts";
import type { Flags } from "./flags.ts";
import { loadLanggraph, type RunEngine } from "./load-langgraph.ts";
import { type Session, withHost } from "./with-host.ts";

/** Runs a pipe, or draws it and runs nothing. */
export async function runPipeCommand(args: readonly string[], flags: Flags, context: Context) {
  const [source = "-"] = args;
  const spec = await readText(source, context, "The spec");
  const engine: RunEngine =
    flags.engine === "langgraph" && !flags.graph ? await loadLanggraph() : runPipe;
  const { maxDepth, maxSteps, maxParallel } = flags;
  const limits = {
    ...(maxDepth !== undefined && { maxDepth }),
    ...(maxSteps !== undefined && { maxSteps }),
    ...(maxParallel !== undefined && { maxParallel }),
  };
  return withHost(flags, context, {}, async ({ host }: Session): Promise<Outcome> => {
    const verdict = checkPipe(spec, host, { limits });
    if (!verdict.ok) {
      const { error, problems } = verdict;
      const refused = { ok: false, error: error.message, result: null, steps: {}, problems };
      return { ok: false, document: refused, text: (style) => renderRefusedPipe(problems, style) };
    }
    const { pipe } = verdict;
    if (flags.graph) return drawn(pipe);
    return ran(pipe, await engine(pipe, host, { limits, signal: context.signal }));
  });
}

function drawn(pipe: Pipe): Outcome {
  const graph = drawMermaid(pipe);
  return { ok: true, document: { ok: true, graph }, text: () => graph.trimEnd() };
}

function ran(pipe: Pipe, result: PipeResult): Outcome {
  return {
    ok: result.ok,
    document: result,
    text: (style) => renderPipe(pipe, result, style),
  };
}
