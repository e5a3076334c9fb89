import type { ToolrailError } from "../errors.ts";
import { parseCallToolResult } from "../result/call-tool-result.ts";
import type { CallOrigin, Hop } from "../result/hop.ts";
import { isWidget } from "../result/widget.ts";
import type { CallOptions, CallRequest } from "../types/call-options.ts";
import type { Stage } from "../types/events.ts";
import { toolText } from "../types/tool.ts";
import type { ToolCall } from "../types/tool-call.ts";
import { admit, needsApproval, type Walk } from "./admission.ts";
import { FOLLOWS } from "./approval.ts";
import { expectRead, keepRead, placesOf } from "./argument-source.ts";
import { takeAnswers } from "./ask-user.ts";
import type { Send } from "./attempt.ts";
import { toDoorError, withoutWords } from "./call-error.ts";
import { callOnce, toCallKey } from "./call-once.ts";
import type { DoorParts } from "./door-parts.ts";
import { notify } from "./notify.ts";
import { sendCall } from "./send-call.ts";
import { spendAdmission } from "./spend-admission.ts";
import { untilAborted } from "./until-aborted.ts";
import { checkArguments, checkOutput } from "./value-checks.ts";

/** The one way to a server: resolve, allow, check arguments, authorize, call, check result, record. */
export async function passDoor(
  parts: DoorParts,
  request: CallRequest,
  options: CallOptions,
): Promise<Hop> {
  const waking = parts.wake(request.tool, options.signal);
  if (waking !== undefined) await waking;
  const admitted = options.admission?.type === "allow" ? options.admission.call : undefined;
  const callId = admitted?.callId ?? parts.newId();
  const { origin = admitted?.origin ?? { by: "application" }, runId = admitted?.runId ?? callId } =
    options;
  const startMs = parts.now();
  let stage: Stage = "resolve" as Stage;
  let name = toolText(request.tool);
  let sources: ToolCall["sources"];
  const report = (outcome: "ok" | "refused" | "failed", extra?: object) => {
    const atMs = parts.now();
    const situation = { callId, runId, tool: name, origin, atMs, elapsedMs: atMs - startMs };
    const from = stage === "authorize" && sources && { sources: placesOf(sources) };
    parts.emit?.({ type: "call", stage, outcome, ...situation, ...from, ...extra });
  };
  let made: ToolCall | undefined;
  const enter: Walk["enter"] = (next, { tool, sources: found }) => {
    name = tool.id;
    if (parts.emit) report("ok");
    stage = next;
    sources = found;
  };
  try {
    const walk = { options, callId, runId, enter };
    const { call, approval } = options.admission
      ? await spendAdmission(parts, request, { ...walk, admission: options.admission })
      : toAllowed(await admit(parts, request, walk));
    const { tool } = call;
    made = call;
    if (parts.sources) await expectRead(parts.sources, call);
    const { answers, place: begun } = options;
    const reply = answers && (await takeAnswers(parts, call, { answers, place: begun, approval }));
    enter("call", call);
    const question = answers?.question;
    const place = begun && question ? `${begun}?${question}` : begun;
    const isKept =
      parts.claims !== undefined || approval !== undefined || place?.startsWith(FOLLOWS) === true;
    const key = isKept ? await toCallKey(place ?? approval?.slot, call) : undefined;
    const send: Send = async (sent, onSend) => {
      const raw = await sendCall(parts, sent, { options, key, onSend, reply, approval });
      enter("result", call);
      const parsed = parseCallToolResult(raw, { tool: name, limits: parts.limits });
      const result = parts.audience.withAudience(call, parsed);
      const durationMs = Math.round((parts.now() - startMs) * 100) / 100;
      return { callId, result, startedAtMs: startMs, durationMs };
    };
    const answer = isKept
      ? await callOnce(parts, call, { key, place, approval, question, options, send })
      : await send(call);
    const { result } = answer;
    const isOwn = answer.callId === callId;
    parts.links?.remember(call, result);
    if (parts.sources) await keepRead(parts.sources, { ...call, callId: answer.callId }, result);
    const verdict = await checkOutput(parts, { tool, result });
    const isShown = verdict.status === "invalid" && parts.invalidOutput === "show";
    const output = isShown ? ({ ...verdict, shown: true } as const) : verdict;
    if (isOwn) {
      enter("record", call);
      if (parts.emit) report("ok", { isError: result.isError === true });
    } else report("ok", { madeBefore: true });
    const { server, name: toolName, meta } = tool;
    const { arguments: args, written } = call;
    const hop: Hop = {
      ...answer,
      ...{ runId, server, tool: toolName, arguments: args, origin, output },
      ...(written && { written }),
      ...(!isOwn && { madeBefore: true as const }),
      ...(isWidget(result, meta) && { isWidget: true as const }),
    };
    const { onHop } = parts.hooks;
    if (onHop) {
      const told = notify(
        onHop,
        { toolCallId: toolCallIdOf(origin), hop },
        Number.POSITIVE_INFINITY,
      );
      await untilAborted(told, call.signal).catch(() => {});
    }
    return hop;
  } catch (cause) {
    const known = toDoorError(cause, { name, signal: options.signal });
    const isHidden = made ? parts.audience.isForUser(made) : origin.forUserAlone;
    const error = isHidden ? withoutWords(known, name) : known;
    const sent = stage === "call" || stage === "result";
    const outcome = sent || error.code === "aborted" ? "failed" : "refused";
    report(outcome, { code: error.code });
    // A model reads the words of a server's error as well.
    if (sent && made) await keepRead(parts.sources, made, error);
    throw error;
  }
}

/** The tool call of a model that a call answers. Those that follow from it have none of their own. */
const toolCallIdOf = (origin: CallOrigin) =>
  origin.by === "model" ? origin.toolCallId : undefined;

/** The admission of a call about which nobody has to be asked first. */
function toAllowed(admission: Awaited<ReturnType<typeof admit>>) {
  if (admission.type === "ask") throw needsApproval(admission);
  return admission;
}

/** What is wrong with the arguments of a call, by the stages that ask nobody: resolve, allow, arguments. */
export function argumentDefect(parts: DoorParts, request: CallRequest): ToolrailError | undefined {
  try {
    const tool = parts.find(request.tool);
    checkArguments(parts, { tool, arguments: request.arguments ?? {} });
    return undefined;
  } catch (cause) {
    return toDoorError(cause, { name: toolText(request.tool) });
  }
}
