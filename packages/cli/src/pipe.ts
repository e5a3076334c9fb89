import { type CallOptions, type Decision, type Hop, type Host, userView } from "@toolrail/core";
import { toolId } from "@toolrail/core/adapter";
import {
  type CompiledStep,
  innerResults,
  type Pipe,
  type PipeLimits,
  type PipeResult,
  parsePipe,
  resumePipe,
  runPipe,
  type StepResults,
  toPipeReply,
} from "@toolrail/core/pipe";
import { UsageError } from "./command-line.ts";
import { hopNode, renderViews } from "./hop-text.ts";
import { parseJsonObject, readArgument } from "./input.ts";
import type { CommandCall, Outcome } from "./run-toolrail.ts";
import { CONVERSATION, withHost } from "./session.ts";
import {
  formatDuration,
  indent,
  oneLine,
  plainText,
  renderTree,
  type Style,
  type TreeNode,
} from "./terminal.ts";

/** Runs a pipe. Rejects with `invalid-pipe` if the spec is refused. */
export async function runPipeCommand({ args, flags, context }: CommandCall): Promise<Outcome> {
  const spec = await readArgument(args[0] ?? "-", "The spec", context);
  const vars = parseJsonObject(flags.vars ?? "{}", "--vars");
  const { maxDepth, maxSteps, maxParallel } = flags;
  const engine = flags.engine === "langgraph" ? await loadLanggraph() : runPipe;
  const limits = { maxDepth, maxSteps, maxParallel } as Partial<PipeLimits>;
  return withHost({ flags, context }, async ({ host, approve }): Promise<Outcome> => {
    const pipe = parsePipe(host, { spec, limits, vars });
    const stated = { conversation: CONVERSATION };
    const options = { spec: pipe, limits, vars, signal: context.signal, ...stated };
    let result = await engine(host, { ...options, pauses: approve !== undefined });
    while (result.paused && approve) {
      const { paused } = result;
      const answers: Record<string, Decision> = {};
      for (const { path, pending } of paused.asks) answers[path] = await approve(pending);
      result = await resumePipe(host, { paused, answers, signal: context.signal });
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
  return (host, { spec, limits, vars, signal, conversation }) =>
    compilePipe(withStated(host, { signal, conversation }), {
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

type Run = Readonly<{ results: StepResults; style: Style }>;

/** Renders a run for people: its steps as a tree, its result, and who may read it. */
function renderPipe(
  { steps }: Pipe,
  { result, style }: { readonly result: PipeResult; readonly style: Style },
): string {
  const { colours } = style;
  const { ok, error, steps: results } = result;
  const reply = JSON.stringify(toPipeReply(result), null, 2);
  const user = listHops(results).flatMap((hop) => userView(hop).verbatim);
  const state = ok ? colours.green("✔ ok") : colours.red("✖ failed");
  const total = Object.values(results).reduce((sum, step) => sum + step.duration_ms, 0);
  return [
    renderTree(stepNodes(steps, { results, style }), colours.dim),
    `${state} ${colours.dim(formatDuration(total))}${ok ? "" : `\n${indent(plainText(error))}`}`,
    ...renderViews({ model: [{ type: "text", text: reply }], user }, style),
  ].join("\n\n");
}

function stepNodes(steps: readonly CompiledStep[], { results, style }: Run): TreeNode[] {
  const { colours, width } = style;
  return steps.map((step) => {
    const { [step.id]: result } = results;
    const id = plainText(step.id);
    const isCall = step.kind === "tool";
    const name = isCall ? colours.cyan(plainText(toolId(step.tool))) : colours.dim(step.kind);
    if (!result) return { label: colours.dim(`– ${id} ${name} not run`) };
    const mark = result.ok ? colours.green("✔") : colours.red("✖");
    const time = colours.dim(formatDuration(result.duration_ms));
    const label = `${mark} ${colours.bold(id)} ${name} ${time}`;
    if (result.kind === "tool") {
      const { ok, structured, text, error, hops } = result;
      const output = colours.dim(oneLine(JSON.stringify(structured ?? text), width - 16));
      const details = [ok ? output : colours.red(plainText(error))];
      return { label, details, children: hops.slice(1).map((hop) => hopNode(hop, style)) };
    }
    const children = stepNodes(innerSteps(step), { results: innerResults(result), style });
    return { label, children };
  });
}

function innerSteps(step: CompiledStep): readonly CompiledStep[] {
  if (step.kind === "tool") return [];
  return step.kind === "parallel" ? step.children : step.pipe.steps;
}

function listHops(results: StepResults): Hop[] {
  return Object.values(results).flatMap((result) =>
    result.kind === "tool" ? result.hops : listHops(innerResults(result)),
  );
}
