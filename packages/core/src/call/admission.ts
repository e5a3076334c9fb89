import { ToolrailError, toToolrailError } from "../errors.ts";
import { canonicalJson, isJsonObject } from "../json.ts";
import { abortError } from "./call-error.ts";
import type { CallOptions, CallRequest } from "./call-request.ts";
import { bindingOf } from "./definition.ts";
import type { DoorParts } from "./door-parts.ts";
import type { Stage } from "./events.ts";
import { resolveReferences } from "./resolve-references.ts";
import { type HostTool, type ToolName, toolText } from "./tool.ts";
import type { ToolCall } from "./tool-call.ts";
import { untilAborted } from "./until-aborted.ts";
import { checkArguments } from "./value-checks.ts";

/**
 * What the door says of one call: made by `host.check`, spent by `host.call` or `host.run`. It holds for
 * this tool as it is defined now and for these arguments, and for one call.
 */
export type Admission =
  | { readonly type: "allow"; readonly call: ToolCall }
  /** A person decides: call with `approved: binding` when they have said yes, and it is checked afresh. */
  | { readonly type: "ask"; readonly call: ToolCall; readonly binding: string }
  /** `stage` is where the door refused it; spending it reports that and throws `error`. */
  | { readonly type: "refuse"; readonly error: ToolrailError; readonly stage?: Stage };

type Asked = Extract<Admission, { type: "ask" }>;
/** What the door says where it has not refused. */
type Checked = Exclude<Admission, { type: "refuse" }>;

/** What a gate says of a call: `"ask"` leaves it to a person, an error refuses it. */
export type GateVerdict = "allow" | "ask" | ToolrailError;

/** A rule beside `authorize`. */
export type Gate = (call: ToolCall) => GateVerdict | PromiseLike<GateVerdict>;

/** The options of a call with its ids, and a listener that is told when it enters a stage of the door. */
export interface Walk extends CallOptions {
  readonly callId: string;
  readonly runId: string;
  enter(stage: Stage, tool: HostTool): void;
}

/** Walks through the stages before the call, and sends nothing. Rejects with the code of the stage that refused. */
export async function admit(parts: DoorParts, request: CallRequest, walk: Walk): Promise<Checked> {
  const { callId, runId, origin = { by: "application" }, signal, approved, scope } = walk;
  throwIfAborted(signal, toolText(request.tool));
  const tool = await findNow(parts, request.tool, walk);
  walk.enter("allow", tool);
  const isModels = origin.by === "model" || (origin.by === "pipe" && origin.author === "model");
  if (isModels && !tool.forModel) {
    const message = `Tool ${tool.id} can be called by the application only, not by a model (see its _meta.ui.visibility).`;
    throw new ToolrailError("not-allowed", message);
  }
  walk.enter("arguments", tool);
  const written = { tool, arguments: request.arguments ?? {} };
  // What other origins sent was written by servers, or has been read before.
  const isRead = parts.kept !== undefined && origin.by === "model";
  const put = isRead ? await resolveReferences(parts, { ...written, scope }) : undefined;
  const asked = { tool, arguments: put?.arguments ?? written.arguments };
  if (approved !== undefined && approved !== (await bindingOf(asked))) {
    const why = "what a person approved is another definition of it, or other arguments";
    throw toolChanged(tool, why);
  }
  const args = checkArguments(parts, asked);
  walk.enter("authorize", tool);
  const call: ToolCall = { callId, runId, tool, ...put, arguments: args, origin, signal, scope };
  const gate = walk.gate ? await walk.gate(call) : "allow";
  if (ToolrailError.isInstance(gate)) throw gate;
  const word = parts.hooks.authorize ? await authorize(parts, call) : "allow";
  throwIfAborted(signal, tool.id);
  const asks = gate === "ask" || word === "ask";
  if (!asks || approved !== undefined) return { type: "allow", call };
  return { type: "ask", call, binding: await bindingOf(call) };
}

/** The tool as its server lists it now: a change that was announced is read first, and before an approved call all. */
async function findNow(
  parts: DoorParts,
  name: ToolName,
  { approved, signal }: Pick<Walk, "approved" | "signal">,
): Promise<HostTool> {
  const known = parts.find(name);
  const { server } = known;
  const news = approved === undefined ? parts.settle(server) : parts.refresh(server);
  if (news === undefined) return known;
  await untilAborted(news, signal);
  return parts.find(known);
}

/** As `admit`, with a refusal as a value. */
export async function checkAtDoor(
  parts: DoorParts,
  request: CallRequest,
  options: CallOptions,
): Promise<Admission> {
  const callId = parts.newId();
  const { runId = callId, signal } = options;
  let stage: Stage = "resolve";
  const enter = (next: Stage) => {
    stage = next;
  };
  try {
    return await admit(parts, request, { ...options, callId, runId, enter });
  } catch (cause) {
    const error = toDoorError(cause, { name: toolText(request.tool), signal });
    return { type: "refuse", error, stage };
  }
}

/** Takes an admission, once, for its own call: else `invalid-options`, or `tool-changed` for another definition. */
export function spend(
  parts: DoorParts,
  request: CallRequest,
  { admission, signal }: { readonly admission: Checked; readonly signal: Walk["signal"] },
): ToolCall {
  const { tool: admitted, arguments: sent, written: args = sent } = admission.call;
  throwIfAborted(signal, admitted.id);
  if (admission.type === "ask") throw needsApproval(admission);
  const tool = parts.find(admitted);
  const asked = parts.find(request.tool);
  if (asked.id !== admitted.id || !isSame(args, request.arguments ?? {})) {
    throw misspent(admitted, "was given for another call");
  }
  if (parts.spent.has(admission)) throw misspent(admitted, "was spent before");
  parts.spent.add(admission);
  if (tool !== admitted && !isSame(tool, admitted)) {
    throw toolChanged(tool, "its definition has changed since the call was checked");
  }
  return { ...admission.call, tool, signal };
}

function isSame(a: unknown, b: unknown): boolean {
  return a === b || canonicalJson(a) === canonicalJson(b);
}

function misspent({ id }: HostTool, why: string): ToolrailError {
  const message = `${id} was not called: its admission ${why}. Call host.check once for each call.`;
  return new ToolrailError("invalid-options", message);
}

function toolChanged({ id }: HostTool, why: string): ToolrailError {
  return new ToolrailError("tool-changed", `${id} was not called: ${why}. Ask for it again.`);
}

export function needsApproval({ call, binding }: Asked): ToolrailError {
  const { references } = call;
  const message = `${call.tool.id} needs the approval of a person before it is called.`;
  return new ToolrailError("needs-approval", message, {
    data: { binding, ...(references && { references }) },
  });
}

/** What an exception in the door comes to. */
export function toDoorError(
  cause: unknown,
  { name, signal }: { readonly name: string; readonly signal?: AbortSignal | undefined },
): ToolrailError {
  const what = `The call of ${name}`;
  if (!ToolrailError.isInstance(cause) && signal?.aborted) return abortError(signal, what);
  return toToolrailError(cause, `${what} failed`);
}

function throwIfAborted(signal: AbortSignal | undefined, name: string): void {
  if (signal?.aborted) throw abortError(signal, `The call of ${name}`);
}

/** Asks the application. Rejects with `denied` for anything but `"allow"` and `"ask"`. */
async function authorize(parts: DoorParts, call: ToolCall): Promise<"allow" | "ask"> {
  const { id } = call.tool;
  let answer: unknown;
  try {
    answer = await untilAborted(parts.hooks.authorize?.(call), call.signal);
  } catch (cause) {
    throwIfAborted(call.signal, id);
    const message = `${id} was not called: \`authorize\` threw an error (see \`cause\`).`;
    throw new ToolrailError("denied", message, { cause });
  }
  if (answer === "allow" || answer === "ask") return answer;
  const reason = isJsonObject(answer) && typeof answer.deny === "string" ? answer.deny : undefined;
  const why = reason ?? '`authorize` must answer "allow", "ask" or { deny: reason }.';
  throw new ToolrailError("denied", `${id} was not called: ${why}`);
}
