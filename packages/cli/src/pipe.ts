import { type Decision, type Hop, type Host, userView } from "@toolrail/core";
import { toolId } from "@toolrail/core/adapter";
import type { JsonObject } from "@toolrail/core/json";
import {
  type CompiledStep,
  innerResults,
  type Pipe,
  type PipeResult,
  parsePipe,
  resumePipe,
  runPipe,
  type StepResults,
  toPipeReply,
} from "@toolrail/core/pipe";
import { parseJsonObject, readArgument, UsageError } from "./command-line.ts";
import type { CommandCall, Outcome } from "./run-toolrail.ts";
import { withHost } from "./servers.ts";
import {
  formatDuration,
  hopNode,
  indent,
  oneLine,
  plainText,
  renderTree,
  renderViews,
  type Style,
  type TreeNode,
} from "./terminal.ts";

/** Runs a pipe. Rejects with `invalid-pipe` if the spec is refused. */
export async function runPipeCommand(call: CommandCall): Promise<Outcome> {
  const { args, flags, context } = call;
  const { signal } = context;
  const spec = await readArgument(args[0] ?? "-", "The spec", context);
  const vars = parseJsonObject(flags.vars ?? "{}", "--vars");
  const run = flags.engine === "langgraph" ? await loadLanggraph() : runPipe;
  return withHost(call, async ({ host, approve }): Promise<Outcome> => {
    const pipe = parsePipe(host, { spec, vars });
    const pauses = approve !== undefined;
    let result = await run(host, { spec: pipe, vars, signal, pauses });
    while (result.paused && approve) {
      const { paused } = result;
      const answers: Record<string, Decision> = {};
      for (const { path, pending } of paused.asks) answers[path] = await approve(pending);
      result = await resumePipe(host, { paused, answers, signal });
    }
    const { ok } = result;
    return { ok, document: result, text: (style) => renderPipe(pipe, { result, style }) };
  });
}

interface Run {
  readonly spec: Pipe;
  readonly vars: JsonObject;
  readonly signal: AbortSignal;
}

/** Loads the engine that runs a pipe as a LangGraph graph. Throws `UsageError` if it is not installed. */
async function loadLanggraph() {
  const { compilePipe } = await import("@toolrail/langgraph/pipe").catch((cause) => {
    if (cause.code !== "ERR_MODULE_NOT_FOUND") throw cause;
    throw new UsageError(
      "--engine langgraph needs packages that are not installed next to @toolrail/cli: " +
        "npm install @toolrail/cli @toolrail/langgraph @langchain/langgraph @langchain/core",
      { cause },
    );
  });
  return (host: Host, { spec, vars, signal }: Run): Promise<PipeResult> => {
    // The calls alone get the signal: an aborted graph would lose the steps that are done.
    const run: Host["run"] = (request, options) => host.run(request, { ...options, signal });
    const cancelled: Host = Object.create(host, { run: { value: run } });
    return compilePipe(cancelled, { spec }).invoke({ vars });
  };
}

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

function stepNodes(
  steps: readonly CompiledStep[],
  { results, style }: { readonly results: StepResults; readonly style: Style },
): TreeNode[] {
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
    const inner = isCall ? [] : step.kind === "parallel" ? step.children : step.pipe.steps;
    return { label, children: stepNodes(inner, { results: innerResults(result), style }) };
  });
}

function listHops(results: StepResults): Hop[] {
  return Object.values(results).flatMap((result) =>
    result.kind === "tool" ? result.hops : listHops(innerResults(result)),
  );
}
