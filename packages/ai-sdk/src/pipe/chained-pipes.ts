import { createOptionCheck, engineOf, hopId, isHopId } from "@toolrail/core/adapter";
import type { JsonObject } from "@toolrail/core/json";
import {
  type PausedPipe,
  PIPE_TOOL_NAME,
  type PipeToolListeners,
  type PipeToolSettings,
  resumePipe,
  runPipe,
} from "@toolrail/core/pipe";
import type { ChainedPipes, ChainParts } from "../chain/chaining-settings.ts";
import type { WaitingHop } from "../chain/pending-hops.ts";
import { LEFT, toWaiting } from "../chain/waiting-steps.ts";
import { createPipes, PIPE_OPTIONS, type PipeCall } from "./create-pipe-tool.ts";

const checkOptions = /* @__PURE__ */ createOptionCheck<PipeToolSettings & PipeToolListeners>(
  "chainedPipes",
  PIPE_OPTIONS,
);

/**
 * Creates the tool `mcp_pipe` for `withChaining`, as `chaining: { pipe: chainedPipes() }`. A step that needs a person
 * becomes a separate call with an approval. The pipe continues when all are answered.
 */
export function chainedPipes(options: PipeToolSettings & PipeToolListeners = {}): ChainedPipes {
  checkOptions(options);
  return { createTools: (parts) => createChainedPipes(parts, options) };
}

function createChainedPipes(parts: ChainParts, settings: PipeToolSettings & PipeToolListeners) {
  const { host, pendingHops } = parts;
  const continuePipe = async (call: PipeCall) => {
    const { toolCallId, signal, conversation, context, tools } = call;
    const pending = await pendingHops.find(toolCallId);
    const asks = Object.entries(pending?.asks ?? {});
    // A step whose pending hop is missing ends without an answer. Otherwise it would wait forever.
    const answers = await Promise.all(
      asks.map(async ([path, ask]) => [path, (await pendingHops.find(ask))?.decision ?? LEFT]),
    );
    const id = toolCallId.slice(hopId("").length);
    const caller = { signal, conversation, context };
    const given = { id, answers: Object.fromEntries(answers), tools };
    const result = await resumePipe(host, { ...caller, ...given });
    await Promise.all([toolCallId, ...asks.map(([, ask]) => ask)].map(pendingHops.drop));
    return { result, root: pending?.root };
  };
  return createPipes(host, {
    ...parts,
    ...settings,
    async run(call) {
      const { result, root = call.toolCallId } = isHopId(call.toolCallId)
        ? await continuePipe(call)
        : { result: await runPipe(host, { ...call, pauses: true }) };
      const { paused } = result;
      if (!paused) return { result, root };
      await keepPause(parts, { ...paused, root, spec: call.spec });
      return { ...toWaiting(PAUSED), callId: paused.id };
    },
  });
}

/** Stores a pending hop for each call that waits, and one with which the pipe continues. */
async function keepPause(
  { host, pendingHops }: ChainParts,
  { id, asks, root, spec }: PausedPipe & { readonly root: string; readonly spec: unknown },
): Promise<void> {
  const { pendingHopTtlMs, now, newId } = engineOf(host);
  const common = { runId: id, root, key: id, seen: [], expiresAtMs: now() + pendingHopTtlMs };
  const steps = asks.map(({ path, pending: call }): WaitingHop => {
    return { ...common, id: hopId(newId()), call, path };
  });
  const origin = { by: "model", toolCallId: root } as const;
  const call = { server: "", tool: PIPE_TOOL_NAME, arguments: spec as JsonObject, origin };
  const pipe = {
    ...common,
    id: hopId(id),
    call,
    asks: Object.fromEntries(steps.map((step) => [step.path, step.id])),
  };
  await Promise.all([...steps, pipe].map(pendingHops.keep));
}

const PAUSED = "The pipe waits for a person, and has not continued yet.";
