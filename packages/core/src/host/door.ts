import { ToolrailError } from "../errors.ts";
import { parseCallToolResult } from "../result/call-tool-result.ts";
import type { Hop } from "../result/hop.ts";
import { abortError, admitCall, authorizeCall, toolText } from "./admit-call.ts";
import type { CallOptions, CallRequest } from "./call-request.ts";
import { checkArguments, checkOutput } from "./checks.ts";
import type { DoorParts } from "./door-parts.ts";
import type { Stage } from "./events.ts";
import type { HostOptions } from "./host-options.ts";
import { sendCall } from "./send-call.ts";
import type { HostTool } from "./tool.ts";

/** The one way to a server: resolve, allow, check arguments, authorize, call, check result, record. */
export async function passDoor(
  parts: DoorParts,
  request: CallRequest,
  options: CallOptions,
): Promise<Hop> {
  const callId = parts.newId();
  const { origin = { by: "application" }, runId = callId } = options;
  const startMs = parts.now();
  let stage: Stage = "resolve" as Stage;
  let name = toolText(request.tool);
  const report = (outcome: "ok" | "refused" | "failed", extra?: object) => {
    const atMs = parts.now();
    const situation = { callId, runId, tool: name, origin, atMs, elapsedMs: atMs - startMs };
    parts.emit?.({ type: "call", stage, outcome, ...situation, ...extra });
  };
  const enter = (next: Stage, tool: HostTool) => {
    name = tool.id;
    if (parts.emit) report("ok");
    stage = next;
  };
  try {
    const call = admitCall(parts, request, options, { callId, runId, enter });
    const { tool } = call;
    const { authorize } = parts.options;
    if (authorize) await authorizeCall(authorize, call, options.approved);
    enter("call", tool);
    const raw = await sendCall(parts, call, options);
    enter("result", tool);
    const result = parseCallToolResult(raw, name, parts.limits);
    const output = await checkOutput(parts.checks, tool, result, parts.parsers.get(name));
    enter("record", tool);
    if (parts.emit) report("ok", { isError: result.isError === true });
    const hop: Hop = {
      callId,
      runId,
      server: tool.server,
      tool: tool.name,
      arguments: call.arguments,
      origin,
      result,
      output,
      startedAtMs: startMs,
      durationMs: Math.round((parts.now() - startMs) * 100) / 100,
    };
    tell(parts.options.onHop, hop);
    return hop;
  } catch (cause) {
    const error = toDoorError(cause, name, options.signal);
    const sent = stage === "call" || stage === "result";
    const outcome = sent || error.code === "aborted" ? "failed" : "refused";
    report(outcome, { code: error.code, message: error.message });
    throw error;
  }
}

function tell(onHop: HostOptions["onHop"], hop: Hop): void {
  try {
    onHop?.(hop);
  } catch {
    // A listener that fails must not undo a call that was made.
  }
}

/** What the door would say before a call is sent. */
export type CallVerdict =
  | { readonly type: "allow" }
  /** `authorize` leaves it to a person. */
  | { readonly type: "ask" }
  | { readonly type: "refuse"; readonly error: ToolrailError };

/** Goes through the door up to the call, and sends and records nothing. */
export async function checkAtDoor(
  parts: DoorParts,
  request: CallRequest,
  options: CallOptions,
): Promise<CallVerdict> {
  const { runId = parts.newId() } = options;
  try {
    const ids = { callId: parts.newId(), runId };
    const call = admitCall(parts, request, options, { ...ids, enter: () => {} });
    const { authorize } = parts.options;
    if (authorize) await authorizeCall(authorize, call, options.approved);
    return { type: "allow" };
  } catch (cause) {
    const error = toDoorError(cause, toolText(request.tool), options.signal);
    return error.code === "needs-approval" ? { type: "ask" } : { type: "refuse", error };
  }
}

/** What is wrong with the arguments of a call, by the stages that ask nobody: resolve, allow, arguments. */
export function argumentDefect(parts: DoorParts, request: CallRequest): ToolrailError | undefined {
  try {
    const tool = parts.catalog().find(request.tool);
    checkArguments(parts.checks, parts.limits, tool, request.arguments ?? {});
    return undefined;
  } catch (cause) {
    return toDoorError(cause, toolText(request.tool));
  }
}

function toDoorError(cause: unknown, name: string, signal?: AbortSignal): ToolrailError {
  if (ToolrailError.isInstance(cause)) return cause;
  if (signal?.aborted) return abortError(signal, name);
  return new ToolrailError("callback-failed", `The call of ${name} failed: ${cause}`, { cause });
}
