import { ToolrailError } from "../errors.ts";
import { isJsonObject } from "../json.ts";
import type { CallOrigin } from "../result/hop.ts";
import type { CallOptions, CallRequest } from "./call-request.ts";
import { checkArguments } from "./checks.ts";
import type { DoorParts } from "./door-parts.ts";
import type { Stage } from "./events.ts";
import type { HostOptions, ToolCall } from "./host-options.ts";
import type { HostTool, ToolName } from "./tool.ts";
import { untilAborted } from "./until-aborted.ts";

/** The ids of a call, and a listener that is told when it enters a stage of the door. */
export interface Admission {
  readonly callId: string;
  readonly runId: string;
  enter(stage: Stage, tool: HostTool): void;
}

/**
 * The stages that ask nobody: resolve, allow, check arguments. Throws with the code of the stage that
 * refused; what comes back is for `authorize` to judge.
 */
export function admitCall(
  parts: DoorParts,
  request: CallRequest,
  options: CallOptions,
  { callId, runId, enter }: Admission,
): ToolCall {
  const { origin = { by: "application" }, signal } = options;
  throwIfAborted(signal, toolText(request.tool));
  const tool = parts.catalog().find(request.tool);
  enter("allow", tool);
  if (!tool.forModel && isModels(origin)) throw appOnly(tool);
  enter("arguments", tool);
  const args = request.arguments ?? {};
  checkArguments(parts.checks, parts.limits, tool, args);
  enter("authorize", tool);
  return { callId, runId, tool, arguments: args, origin, signal };
}

export function toolText(name: ToolName): string {
  return typeof name === "string" ? name : `${name.server}.${name.name}`;
}

/** What an aborted call ends in. */
export function abortError({ reason }: AbortSignal, name: string): ToolrailError {
  return new ToolrailError("aborted", `The call of ${name} was aborted.`, { cause: reason });
}

function throwIfAborted(signal: AbortSignal | undefined, name: string): void {
  if (signal?.aborted) throw abortError(signal, name);
}

function isModels(origin: CallOrigin): boolean {
  return origin.by === "model" || (origin.by === "pipe" && origin.author === "model");
}

function appOnly(tool: HostTool): ToolrailError {
  return new ToolrailError(
    "not-allowed",
    `Tool ${tool.id} is for the application alone (_meta.ui.visibility) and cannot be called by a model.`,
  );
}

/**
 * Asks `authorize`. Rejects with `denied`, or with `needs-approval` where it says `"ask"` and nobody has
 * approved.
 */
export async function authorizeCall(
  authorize: NonNullable<HostOptions["authorize"]>,
  call: ToolCall,
  approved = false,
): Promise<void> {
  const { id } = call.tool;
  let answer: unknown;
  try {
    answer = await untilAborted(authorize(call), call.signal);
  } catch (cause) {
    throwIfAborted(call.signal, id);
    throw new ToolrailError("denied", `Authorizing ${id} failed, so it was not called: ${cause}`, {
      cause,
    });
  }
  if (answer === "allow" || (answer === "ask" && approved)) {
    throwIfAborted(call.signal, id);
    return;
  }
  if (answer === "ask") {
    throw new ToolrailError(
      "needs-approval",
      `${id} needs the approval of a person before it is called.`,
    );
  }
  const reason = isJsonObject(answer) && typeof answer.deny === "string" ? answer.deny : undefined;
  throw new ToolrailError(
    "denied",
    reason === undefined
      ? `${id} was not called: \`authorize\` must answer "allow", "ask" or { deny: reason }.`
      : `${id} was not called: ${reason}`,
  );
}
