import { chainEndOf } from "../chain/chain-end.ts";
import type { ChainResult } from "../chain/chain-result.ts";
import { ToolrailError } from "../errors.ts";
import type { CallOptions, CallRequest } from "../host/call-request.ts";
import type { Host } from "../host/create-host.ts";
import type { HostTool } from "../host/tool.ts";
import type { JsonObject } from "../json.ts";
import type { PipeHost } from "../pipe/pipe-host.ts";
import type { PipeResult } from "../pipe/pipe-result.ts";
import { runPipe } from "../pipe/run-pipe.ts";
import type { ContentBlock } from "../result/call-tool-result.ts";
import type { Hop } from "../result/hop.ts";

/** A call of a pipe's tool. */
export interface PipeCall {
  readonly tool: HostTool;
  readonly spec: unknown;
  readonly args: JsonObject;
}

/** Runs a pipe as one call: the hop's `_meta.pipe` is the whole result. */
export async function callPipe(
  host: Host,
  { tool, spec, args }: PipeCall,
  { signal, origin = { by: "application" }, runId = host.newId() }: CallOptions,
): Promise<Hop> {
  const startMs = host.now();
  const pipe = await runPipe(spec, withoutChains(host), { signal, vars: args, pipeId: runId });
  return {
    callId: host.newId(),
    runId,
    server: tool.server,
    tool: tool.name,
    arguments: args,
    origin,
    result: toResult(pipe),
    output: pipe.ok ? { status: "valid", value: pipe.result } : { status: "unchecked" },
    startedAtMs: startMs,
    durationMs: host.now() - startMs,
  };
}

function toResult(pipe: PipeResult): Hop["result"] {
  const _meta = { pipe: pipe as unknown as JsonObject };
  const { ok, error, result, result_for_model: shown } = pipe;
  if (!ok) return { content: [{ type: "text", text: error }], isError: true, _meta };
  if (shown === undefined) {
    return { content: [], structuredContent: result, isError: false, _meta };
  }
  const content = [textFor("user", result), textFor("assistant", shown)];
  return { content, structuredContent: shown, isError: false, _meta };
}

function textFor(reader: "user" | "assistant", value: unknown): ContentBlock {
  return { type: "text", text: JSON.stringify(value), annotations: { audience: [reader] } };
}

/** The host for the steps of a pipe: each is one call, whatever its result asks for. */
function withoutChains(host: Host): PipeHost {
  const run = async (request: CallRequest, options: CallOptions = {}): Promise<ChainResult> => {
    const { runId = host.newId() } = options;
    try {
      return { runId, ended: "complete", hops: [await host.call(request, { ...options, runId })] };
    } catch (cause) {
      if (!ToolrailError.isInstance(cause)) throw cause;
      return { runId, ended: chainEndOf(cause.code), hops: [], error: cause };
    }
  };
  return Object.create(host, { run: { value: run } }) as PipeHost;
}
