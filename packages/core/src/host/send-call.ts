import { ToolrailError } from "../errors.ts";
import type { CallToolResult } from "../result/call-tool-result.ts";
import { toCallError } from "./call-error.ts";
import type { CallOptions } from "./call-request.ts";
import { checkArguments } from "./checks.ts";
import type { DoorParts } from "./door-parts.ts";
import type { ToolCall } from "./host-options.ts";
import { untilAborted } from "./until-aborted.ts";

/**
 * Sends `tools/call` through the interceptors. Answers with what the server (or an interceptor) said,
 * not yet checked. An interceptor may change the arguments, which are therefore checked again; the tool
 * it cannot change.
 */
export function sendCall(parts: DoorParts, call: ToolCall, options: CallOptions): Promise<unknown> {
  const { intercept = [] } = parts.options;
  if (intercept.length === 0) return requestCall(parts, call, options);
  const request = async (current: ToolCall) => {
    checkArguments(parts.checks, parts.limits, call.tool, current.arguments);
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
  const { server, name, id } = call.tool;
  const { limits } = parts;
  const { requestMeta } = parts.options;
  const meta =
    requestMeta &&
    (await untilAborted(requestMeta({ method: "tools/call", server, ...call }), call.signal));
  const most = options.timeoutMs ?? Number.POSITIVE_INFINITY;
  if (most <= 0) throw new ToolrailError("timeout", `There was no time left to call ${id}.`);
  try {
    return await parts.port(server).request(
      "tools/call",
      { name, arguments: call.arguments, ...(meta && { _meta: meta }) },
      {
        signal: call.signal,
        timeoutMs: Math.min(limits.callTimeoutMs, most),
        totalTimeoutMs: Math.min(limits.callTotalTimeoutMs, most),
        onProgress: options.onProgress,
      },
    );
  } catch (cause) {
    throw toCallError(cause, `The call of ${id}`, call.signal);
  }
}
