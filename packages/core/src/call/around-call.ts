import type { CallToolResult } from "../result/call-tool-result.ts";
import { parseCallToolResult } from "../result/call-tool-result.ts";
import type { Answer } from "../types/call-options.ts";
import type { ToolCall } from "../types/tool-call.ts";
import { FOLLOWS } from "./approval.ts";
import { forUserAlone, isForUserByCall } from "./audiences.ts";
import { enter, type Passage, type Send, type Sending } from "./passage.ts";
import { untilAborted } from "./until-aborted.ts";
import { checkArguments } from "./value-checks.ts";

export type Layer = (sending: Sending, next: Send) => Promise<unknown>;

/** Makes a call only once: by the approval that it uses up, or by its key if the host makes such calls once. */
export function makeOnce(sending: Sending, next: Send): Promise<unknown> {
  const { host, options, approval } = sending.passage;
  const isOnce = host.once || approval || options.key?.startsWith(FOLLOWS);
  if (!isOnce) return next(sending);
  return import("./call-once.ts").then(({ callOnce }) => callOnce(sending, next));
}

/** Reads the answer as a result, and marks who may read it. */
export async function readResult(sending: Sending, next: Send): Promise<Answer> {
  const { passage } = sending;
  const raw = await next(sending);
  enter(passage, "result");
  const { host, name, call, startMs } = passage;
  const parsed = parseCallToolResult(raw, { tool: name, limits: host.limits });
  const result = host.hooks.transformResult ? await transformResult(passage, parsed) : parsed;
  const isForUser = isForUserByCall(host.hooks, call);
  const durationMs = Math.round((host.now() - startMs) * 100) / 100;
  return {
    callId: call.callId,
    result: isForUser ? forUserAlone(result) : result,
    startedAtMs: startMs,
    durationMs,
  };
}

/** Lets plugins replace a result. The replacement is checked like an answer of the server. */
async function transformResult(
  { host, call, name }: Passage,
  parsed: CallToolResult,
): Promise<CallToolResult> {
  let result = parsed;
  for (const transform of host.hooks.transformResult ?? []) {
    result = await untilAborted(transform(result, call), call.signal);
  }
  return result === parsed
    ? parsed
    : parseCallToolResult(result, { tool: name, limits: host.limits });
}

/** Lets plugins run around a call. They may pass other arguments on, which are then checked, but no other tool. */
export function wrapCall(sending: Sending, next: Send): Promise<unknown> {
  const { passage, call } = sending;
  const { host } = passage;
  const request = async (current: ToolCall) => {
    const { tool } = call;
    const { arguments: args } = current;
    // The arguments that were checked are frozen: see `checkCallArguments`.
    if (args !== call.arguments) await checkArguments(host, { tool, arguments: args });
    return next({ ...sending, call: { ...current, tool } }) as Promise<CallToolResult>;
  };
  const around = (host.hooks.wrapCall ?? []).reduceRight<typeof request>(
    (inner, wrap) => async (current) => wrap(current, inner),
    request,
  );
  return untilAborted(around({ ...call }), call.signal);
}
