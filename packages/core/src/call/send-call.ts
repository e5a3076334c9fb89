import { ToolrailError } from "../errors.ts";
import type { CallToolResult } from "../result/call-tool-result.ts";
import { toCallError } from "./call-error.ts";
import type { CallOptions } from "./call-request.ts";
import type { DoorParts } from "./door-parts.ts";
import type { ToolCall } from "./tool-call.ts";
import { untilAborted } from "./until-aborted.ts";
import { checkArguments } from "./value-checks.ts";

/**
 * Sends `tools/call` through the interceptors. Answers with what the server or an interceptor said, not yet
 * checked. An interceptor may change the arguments, which are checked again, and not the tool.
 */
export function sendCall(parts: DoorParts, call: ToolCall, options: CallOptions): Promise<unknown> {
  const { intercept = [] } = parts.hooks;
  if (intercept.length === 0) return requestCall(parts, call, options);
  const request = async (current: ToolCall) => {
    checkArguments(parts, { tool: call.tool, arguments: current.arguments });
    const sent = { ...current, tool: call.tool };
    return (await requestCall(parts, sent, options)) as CallToolResult;
  };
  const chain = intercept.reduceRight<(current: ToolCall) => Promise<CallToolResult>>(
    (next, interceptor) => (current) => interceptor(current, next),
    request,
  );
  return untilAborted(chain(call), call.signal);
}

async function requestCall(
  parts: DoorParts,
  call: ToolCall,
  options: CallOptions,
): Promise<unknown> {
  const { signal, arguments: args } = call;
  const { server, name, id, inputSchema } = call.tool;
  const asked = parts.hooks.requestMeta?.({ method: "tools/call", server, ...call });
  const meta = await untilAborted(asked, signal);
  const most = options.timeoutMs ?? Number.POSITIVE_INFINITY;
  if (most <= 0) throw new ToolrailError("timeout", `There was no time left to call ${id}.`);
  const bounds = {
    signal,
    timeoutMs: Math.min(parts.limits.callTimeoutMs, most),
    totalTimeoutMs: Math.min(parts.limits.callTotalTimeoutMs, most),
    onProgress: options.onProgress,
    inputSchema,
  };
  try {
    signal?.throwIfAborted(); // A call beside this one may just have aborted both.
    const answer = parts.port(server).call({ name, arguments: args, meta }, bounds);
    return await untilAborted(answer, signal);
  } catch (cause) {
    // The server expects other `Mcp-Param-*` headers: the tool is no longer as it was listed.
    const isStale = (cause as { code?: unknown } | undefined)?.code === -32020;
    if (isStale) await parts.refresh(server).catch(() => {});
    throw toCallError(cause, { what: `The call of ${id}`, signal });
  }
}
