import { ToolrailError } from "../errors.ts";
import { canonicalJson, copyJson, type JsonObject } from "../json/json.ts";
import { quoted } from "../json/plain-text.ts";
import { type CallToolResult, parseCallToolResult } from "../result/call-tool-result.ts";
import { type Hop, shownOf } from "../result/hop.ts";
import { checkApproval, describeQuestion, needsApproval } from "./approval.ts";
import { toCallError, toStageError, withoutWords } from "./call-error.ts";
import type { AdapterCallOptions, CallRequest, CallVerdict, ToolCall } from "./call-options.ts";
import { notify, type Stage } from "./events.ts";
import type { HostParts } from "./host-parts.ts";
import { InputRequests } from "./input-requests.ts";
import {
  claimCall,
  freeCall,
  inTurn,
  keepAnswer,
  keepFailure,
  keyId,
  type OnceAnswer,
  type OnceCall,
  toOnce,
} from "./once.ts";
import { transformByPlugins } from "./plugin.ts";
import { askPolicies } from "./policies.ts";
import { sendRequest } from "./send-call.ts";
import { type Tool, toolText } from "./tool.ts";
import { OwnSignal, untilAborted } from "./until-aborted.ts";
import { checkArguments, checkOutput } from "./value-checks.ts";
import { listenerOf } from "./voice.ts";

/** A call as its caller asks for it. */
export interface Asked {
  readonly request: CallRequest;
  readonly options: AdapterCallOptions;
}

/** A call on its way, and how far it has come. */
interface Trip extends Asked {
  readonly host: HostParts;
  readonly call: { -readonly [Name in keyof ToolCall]: ToolCall[Name] };
  readonly startMs: number;
  /** When its time is up for requests and for answers of persons, in milliseconds since the epoch. */
  readonly endMs: number;
  /** Aborts the call with the signal of its caller, if there is one. */
  readonly own: OwnSignal | undefined;
  stage: Stage;
  /** True if the call is only checked, so that no event tells of it. */
  readonly isQuiet: boolean;
  /** True from the moment in which a request goes out. */
  isSent: boolean;
  /** The approval with which the call is made, once it was checked. */
  approval?: { readonly id: string; readonly expiresAtMs: number };
  /** What the server asks the user in the middle of the call, once it asks. */
  inputs?: InputRequests;
}

/** Makes a call: the one way to a server. Each step is awaited, and refuses the call by throwing. */
export async function makeCall(host: HostParts, asked: Asked): Promise<Hop> {
  const trip = begin(host, asked);
  try {
    const ask = await check(trip);
    if (ask) throw needsApproval({ call: trip.call, ...describe(trip, ask) });
    enter(trip, "call");
    const isOnce = trip.approval !== undefined || asked.options.key !== undefined;
    return await (isOnce ? makeOnce(trip) : record(trip, toAnswer(trip, await send(trip))));
  } catch (cause) {
    const error = toError(trip, cause);
    const isFailed = trip.isSent || error.code === "aborted";
    report(trip, isFailed ? "failed" : "refused", { code: error.code });
    throw error;
  } finally {
    trip.own?.end();
  }
}

/** Takes a call through the same steps up to the policies, and sends nothing. The call is asked about again when it is made. */
export async function checkCall(host: HostParts, asked: Asked): Promise<CallVerdict> {
  const trip: Trip = { ...begin(host, asked), isQuiet: true };
  const { call } = trip;
  try {
    const ask = await check(trip);
    if (!ask) return { type: "allow", call };
    return { type: "ask", call, ...describe(trip, ask) };
  } catch (cause) {
    return { type: "refuse", error: toError(trip, cause) };
  } finally {
    trip.own?.end();
  }
}

/** Turns what was thrown into the error of the call. */
function toTripError({ call, isSent }: Trip, cause: unknown): ToolrailError {
  const { signal } = call;
  const { id, server } = call.tool;
  // A person whom the server asks may answer too late: the request went out, so the outcome is unknown.
  const isLate = isSent && ToolrailError.isInstance(cause, "timeout");
  if (isLate) return toCallError(cause, { what: `The call of ${id}`, server, signal });
  return toStageError(cause, { name: id, signal });
}

/** Returns the error of a call as a model may read it. */
function toError(trip: Trip, cause: unknown): ToolrailError {
  const { call, isSent } = trip;
  const error = toTripError(trip, cause);
  // A refusal may quote arguments, and a model may not read these.
  const isHidden = !isSent && call.origin.forUserAlone === true;
  return isHidden ? withoutWords(error, call.tool.id) : error;
}

/** Finds the tool, checks the arguments, and asks the policies. Returns the reason if a person has to decide, or an empty one. */
async function check(trip: Trip): Promise<{ readonly reason?: string } | undefined> {
  const { host, call, request, options } = trip;
  const { approved, changes } = options;
  const finding = host.servers.findForCall(request.tool, { isFresh: approved !== undefined });
  call.tool = await untilAborted(finding, call.signal);
  enter(trip, "allow");
  allowForCaller(call);
  enter(trip, "arguments");
  if (host.hooks.transformArguments.length > 0)
    Object.assign(call, await transformByPlugins(host.hooks, call));
  if (approved !== undefined) trip.approval = checkApproval(host, call, approved);
  if (changes) await change(trip, changes);
  else checkArguments(host, call);
  // What one plugin does to the arguments must not change them for another, or for the server.
  call.arguments = copyJson(call.arguments);
  enter(trip, "authorize");
  const verdict = await authorize(trip);
  if (verdict === "allow" || trip.approval) return undefined;
  return typeof verdict === "object" ? { reason: quoted(verdict.ask) } : {};
}

/** Refuses tools that are not for the caller: those of the application to models. */
function allowForCaller({ tool, origin }: ToolCall): void {
  // A model also writes the steps of its pipes.
  const isByPipe = origin.by === "pipe" && origin.author !== "application";
  if ((origin.by !== "model" && !isByPipe) || tool.forModel) return;
  const message = `Tool ${tool.id} can be called only by the application, not by a model (see its _meta.ui.visibility).`;
  throw new ToolrailError("not-allowed", message);
}

/** Replaces the arguments by those of the person who approved the call. If they cannot be sent, the call still waits. */
async function change(trip: Trip, changes: JsonObject): Promise<void> {
  const { host, call, options, request } = trip;
  const { approved: binding } = options;
  if (binding === undefined) {
    const message = `${call.tool.id} was not called: its arguments were changed, but nobody has approved it.`;
    throw new ToolrailError("denied", message);
  }
  const { written: _, references: __, ...rest } = call;
  const before = { ...rest, arguments: request.arguments ?? {} };
  call.arguments = changes;
  delete call.written;
  delete call.references;
  try {
    Object.assign(call, await transformByPlugins(host.hooks, call));
    checkArguments(host, call);
  } catch (cause) {
    if (!ToolrailError.isInstance(cause, "invalid-arguments")) throw cause;
    throw needsApproval({ call: before, binding, problem: cause.message });
  }
  if (canonicalJson(changes) !== canonicalJson(before.arguments))
    call.changedFrom = before.arguments;
}

/** Asks the caller's gate and all policies. One "ask" is enough, and one refusal throws. */
async function authorize({ host, call, options }: Trip) {
  const own = options.gate ? await untilAborted(options.gate(call), call.signal) : "allow";
  if (typeof own !== "string") throw own;
  const answer = await askPolicies(host, call);
  return answer === "allow" ? own : answer;
}

/** Describes the question about this call. A call with a key is one question, however often it is asked. */
function describe({ host, call, options }: Trip, ask: { readonly reason?: string }) {
  const id = options.key === undefined ? undefined : keyId(options.key);
  return { ...ask, binding: describeQuestion(host, call, { id }) };
}

/** Makes a call unless it was made before. It is claimed before it is sent, and its answer is kept. */
async function makeOnce(trip: Trip): Promise<Hop> {
  const { host, call, approval, options } = trip;
  const once = toOnce(host, call, { key: options.key, approval });
  return inTurn(host, { call, id: once.id, endMs: trip.endMs }, () => claimAndSend(trip, once));
}

async function claimAndSend(trip: Trip, once: OnceCall): Promise<Hop> {
  const { host, call } = trip;
  const before = await claimCall(host, call, once);
  if (before) return recordAgain(trip, before);
  let answer: OnceAnswer;
  try {
    answer = toAnswer(trip, await send(trip, once.hash));
  } catch (cause) {
    const error = toTripError(trip, cause);
    await (trip.isSent ? keepFailure(host, call, { once, error }) : freeCall(host, once));
    throw error;
  }
  await (trip.isSent ? keepAnswer(host, call, { once, answer }) : freeCall(host, once));
  return record(trip, answer);
}

/** Sends the request through `wrapCall` of all plugins, and reads the answer as a result. */
async function send(trip: Trip, idempotencyKey?: string): Promise<CallToolResult> {
  const { host, call, options, endMs } = trip;
  const inputs = () => {
    trip.inputs ??= new InputRequests(host, endMs);
    return trip.inputs;
  };
  const onSend = () => {
    trip.isSent = true;
    options.onSend?.();
  };
  const parse = (raw: unknown) =>
    parseCallToolResult(raw, { tool: call.tool.id, limits: host.limits });
  let next = async (current: ToolCall) => {
    if (current.arguments !== call.arguments) checkArguments(host, current);
    const sent = current === call ? call : { ...current, tool: call.tool };
    const how = { endMs, options, inputs, idempotencyKey, onSend };
    return parse(await sendRequest(host, { call: sent, ...how }));
  };
  for (const wrap of host.hooks.wrapCall.toReversed()) {
    const inner = next;
    next = async (current) => parse(await untilAborted(wrap({ ...current }, inner), call.signal));
  }
  const result = await next(call);
  enter(trip, "result");
  return result;
}

/** Checks the output, and shows the finished call to events and listeners. */
async function record(trip: Trip, answer: OnceAnswer): Promise<Hop> {
  const { result } = answer;
  const hop = await toHop(trip, answer);
  enter(trip, "record");
  report(trip, "ok", { isError: result.isError === true });
  if (trip.host.hooks.onHop.length > 0) await tellPlugins(trip, hop);
  return hop;
}

/** Answers a call with the result that it had before. */
async function recordAgain(trip: Trip, answer: OnceAnswer): Promise<Hop> {
  const hop: Hop = { ...(await toHop(trip, answer)), madeBefore: true };
  report(trip, "ok", { madeBefore: true });
  await tellPlugins(trip, hop);
  return hop;
}

function toAnswer({ host, call, startMs }: Trip, result: CallToolResult): OnceAnswer {
  const { callId, arguments: args, written, changedFrom } = call;
  const durationMs = Math.round((host.now() - startMs) * 100) / 100;
  const answer = { callId, arguments: args, result, startedAtMs: startMs, durationMs };
  return Object.assign(answer, written && { written }, changedFrom && { changedFrom });
}

async function toHop({ host, call }: Trip, answer: OnceAnswer): Promise<Hop> {
  const { runId, tool, origin } = call;
  const output = await checkOutput(host, call, answer.result);
  const made = { runId, server: tool.server, tool: tool.name, origin, output };
  return Object.assign({}, answer, made, shownOf(answer.result, tool.meta));
}

/** Passes a finished call to the plugins, and waits for them. Their errors become warnings: the call was made. */
async function tellPlugins({ host, call }: Trip, hop: Hop): Promise<void> {
  // Only the first call of a chain answers the model's tool call. The later calls have no id of one.
  const toolCallId = call.origin.by === "model" ? call.origin.toolCallId : undefined;
  const told = host.hooks.plugins.map((plugin) =>
    notify(listenerOf(plugin, "onHop"), { toolCallId, hop }, host.voice),
  );
  await untilAborted(Promise.all(told), call.signal).catch(() => {});
}

function begin(host: HostParts, { request, options }: Asked): Trip {
  const [callId, startMs] = [host.newId(), host.now()];
  const { runId = callId, origin = { by: "application" }, conversation, context } = options;
  const { timeoutMs = Infinity } = options;
  const endMs = startMs + Math.min(timeoutMs, host.limits.runTimeoutMs);
  const own = options.signal && new OwnSignal(options.signal);
  const signal = own?.signal;
  const tool = { ...UNKNOWN, id: toolText(request.tool) };
  const args = request.arguments ?? {};
  const call = { callId, runId, tool, arguments: args, origin, signal, conversation, context };
  const state = { stage: "resolve", isQuiet: false, isSent: false } as const;
  return { host, request, options, call, startMs, endMs, own, ...state };
}

/** The tool of a call until it is found. */
const UNKNOWN: Tool = {
  server: "",
  name: "",
  id: "",
  modelName: "",
  inputSchema: {},
  forModel: false,
};

/** Reports that a call has passed its stage, and begins the next one. */
function enter(trip: Trip, next: Stage): void {
  report(trip, "ok");
  trip.stage = next;
}

type Outcome = "ok" | "refused" | "failed";

function report(trip: Trip, outcome: Outcome, more?: object): void {
  const { host } = trip;
  if (trip.isQuiet || !host.voice.isHeard()) return;
  host.voice.emit(toEvent(trip, outcome, more));
}

function toEvent({ host, call, stage, startMs }: Trip, outcome: Outcome, more?: object) {
  const { callId, runId, origin, tool, changedFrom } = call;
  const atMs = host.now();
  const about = { callId, runId, origin, tool: tool.id, atMs, elapsedMs: atMs - startMs };
  const changed = changedFrom && ({ changed: true } as const);
  return { type: "call", stage, outcome, ...about, ...changed, ...more } as const;
}

/** Describes what is wrong with the arguments of a call, if that is known without asking anyone. */
export function findArgumentDefect(
  host: HostParts,
  request: CallRequest,
): ToolrailError | undefined {
  try {
    const tool = host.servers.find(request.tool);
    if (host.hooks.transformArguments.length > 0) return undefined;
    checkArguments(host, { tool, arguments: request.arguments ?? {} });
    return undefined;
  } catch (cause) {
    return toStageError(cause, { name: toolText(request.tool) });
  }
}
