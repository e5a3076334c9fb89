import { concludePipe, endGroup, reportPipe, ToolrailError, topVars } from "@toolrail/core";
import { beginContext, contextOf, leaveContext, type PipeEngine } from "./pipe-context.ts";
import type { PlacedStep } from "./pipe-names.ts";
import {
  isOver,
  keep,
  keepResult,
  keptAt,
  type Node,
  type PlacedPipe,
  resultAt,
  scopeOf,
  stepsOf,
} from "./pipe-state.ts";
import { runInNode } from "./run-in-node.ts";

/** Takes the input, and clears what an earlier run has left on the same thread. */
export function beginNode(engine: PipeEngine, pipe: PlacedPipe): Node {
  const cleared = Object.fromEntries(pipe.placed.map(({ channel }) => [channel, null]));
  return async ({ vars }, config) => {
    const run = beginContext(engine, pipe, config);
    const given = run ? topVars(pipe.plan, vars ?? {}) : (vars ?? {});
    return { ...cleared, vars: null, given, ...(run && { run }) };
  };
}

/** Waits for all children, however many super-steps they take, and makes the group's result of theirs. */
export function joinNode(
  engine: PipeEngine,
  pipe: PlacedPipe,
  place: PlacedStep,
  children: readonly PlacedStep[],
): Node {
  const { step, channel } = place;
  return async (state, config) => {
    if (step.kind !== "parallel" || !children.every((child) => isOver(state, child))) return {};
    const context = contextOf(engine, pipe, state, config);
    const run = runInNode(engine, context, config);
    const skipped = children
      .map((child) => keptAt(state, child))
      .find((one) => one?.type === "skipped");
    if (skipped && skipped.group !== channel) return keep(place, skipped);
    const refusal = skipped && new ToolrailError("pipe-limit", skipped.why);
    const results = children.flatMap((child) => resultAt(state, child) ?? []);
    const firstMs = Math.min(...results.map((result) => Date.parse(result.started_at)));
    const startMs =
      context.groups.get(step)?.startMs ?? (results.length > 0 ? firstMs : engine.host.now());
    const byId = Object.fromEntries(results.map((result) => [result.id, result]));
    return keepResult(place, endGroup(run, step, startMs, byId, refusal));
  };
}

export function finishNode(engine: PipeEngine, pipe: PlacedPipe): Node {
  return async (state, config) => {
    const context = contextOf(engine, pipe, state, config);
    const run = runInNode(engine, context, config);
    const end = concludePipe(run, pipe.plan, scopeOf(pipe, state), stepsOf(pipe, state));
    if (pipe.plan.path === "") {
      const elapsedMs = engine.host.now() - context.startMs;
      reportPipe(run, { steps: engine.pipe.stepCount, ok: end.ok, elapsedMs });
      leaveContext(engine, config);
    }
    return { result_for_model: undefined, ...end };
  };
}
