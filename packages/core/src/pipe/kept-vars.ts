import type { Host } from "../host/host.ts";
import { engineOf } from "../host/host-engine.ts";
import { type JsonObject, measure } from "../json.ts";
import { findIds } from "../reference/address.ts";
import { partsOf } from "../reference/kept-result.ts";
import type { Hop } from "../result/hop.ts";
import { modelView } from "../result/model-view.ts";
import { PIPE_TOOL_NAME } from "./compile-tool-step.ts";
import type { PipeReply } from "./pipe-reply.ts";
import type { PipeResult, StepResult, StepResults } from "./pipe-result.ts";

/** Most kept results that one spec may refer to. */
const MAX_IDS = 20;
const MAX_SPEC = { maxBytes: 1_048_576, maxDepth: 64 };

/** The kept results of a scope that a model's spec names, by their ids: they are vars of its pipe. */
export async function findKept(
  host: Host,
  { spec, scope }: { readonly spec: unknown; readonly scope: string | undefined },
): Promise<JsonObject> {
  const { kept } = engineOf(host);
  if (!kept || !scope || measure(spec, MAX_SPEC)) return {};
  const ids = findIds(JSON.stringify(spec) ?? "").slice(0, MAX_IDS);
  const found = await Promise.all(ids.map((id) => kept.find(scope, id)));
  const entries = found.flatMap((one, at) => {
    return one.type === "kept" ? [[ids[at], partsOf(one.result)]] : [];
  });
  return Object.fromEntries(entries);
}

/** The reply of `mcp_pipe` with a long result kept: the model reads its beginning or its shape, and its address. */
export async function keepReply(
  host: Host,
  reply: PipeReply,
  {
    scope,
    toolCallId = "",
  }: { readonly scope?: string | undefined; readonly toolCallId?: string | undefined },
): Promise<PipeReply> {
  const { result } = reply;
  const made = { server: "", tool: PIPE_TOOL_NAME, callId: toolCallId, runId: "", arguments: {} };
  const content = typeof result === "string" ? [{ type: "text", text: result }] : [];
  const brought =
    content.length > 0 || result === null ? { content } : { content, structuredContent: result };
  const hop = await host.keep<Hop>(
    {
      ...made,
      origin: { by: "model" },
      result: brought,
      output: { status: "unchecked" },
      startedAtMs: 0,
      durationMs: 0,
    },
    { scope },
  );
  if (hop.kept === undefined) return reply;
  return {
    ...reply,
    result: modelView(hop)
      .content.map(({ text }) => text)
      .join("\n"),
  };
}

/** A result as a framework is to keep it: where it is long and kept by address, its steps hold no values. */
export function withoutLongSteps(
  host: Host,
  result: PipeResult,
  { reply, scope }: { readonly reply: PipeReply; readonly scope: string | undefined },
): PipeResult {
  const { kept } = engineOf(host);
  if (!kept || !scope) return result;
  const { result_for_model: _, ...rest } = result;
  const isLong = measure(result, { maxBytes: kept.minLength, maxDepth: 512 }) !== undefined;
  return isLong ? { ...rest, result: reply.result, steps: withoutValues(result.steps) } : result;
}

function withoutValues(steps: StepResults): StepResults {
  const entries = Object.entries(steps).map(([id, step]): [string, StepResult] => {
    if (step.kind === "parallel") return [id, { ...step, children: withoutValues(step.children) }];
    if (step.kind === "tool") return [id, { ...step, structured: null, text: "", hops: [] }];
    return [id, { ...step, result: null, steps: withoutValues(step.steps) }];
  });
  return Object.fromEntries(entries);
}
