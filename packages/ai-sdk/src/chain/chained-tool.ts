import {
  type CallOptions,
  type ChainResult,
  type Hop,
  type Host,
  type HostTool,
  ToolrailError,
} from "@toolrail/core";
import {
  type CallPlace,
  type DecidedHop,
  decideHop,
  engineOf,
  isHopId,
  notify,
  throwAborted,
  toolId,
  toRef,
  toToolrailError,
} from "@toolrail/core/adapter";
import type { SdkTool } from "../sdk-types.ts";
import type { ToolsOptions } from "../tools/create-tools.ts";
import { createReadTool } from "../tools/read-tool.ts";
import { createSdkTools, type MadeCall } from "../tools/sdk-tool.ts";
import { structuredOf, type ToolOutput, toOutput, toProgress } from "../tools/tool-output.ts";
import type { TypedNames } from "../tools/typed-tools.ts";
import { withProgress } from "../tools/with-progress.ts";
import type { HopTickets } from "./hop-tickets.ts";
import { approveStep } from "./pipe-pauses.ts";
import { type QuestionTicket, toQuestionTicket, toWaiting, WAITING } from "./questions.ts";

/** A tool that makes one call; what follows from it is the next step's business. */
export type ChainedTool = SdkTool<ToolOutput>;

export interface ChainParts
  extends Pick<ToolsOptions, "onHop" | "scope" | "userText" | "context" | "onAsk"> {
  readonly host: Host;
  readonly typed?: TypedNames | undefined;
  readonly tickets: HopTickets;
  /** False where a tool of another has the name `ask_user`: a call whose server asks the user then ends. */
  readonly canAsk: boolean;
}

/** These tools of the host: all of them, since hops reach those too that no model is offered. */
export function createChainedTools(
  parts: ChainParts,
  tools: readonly HostTool[],
): Record<string, ChainedTool> {
  const { host, tickets } = parts;
  const made = createSdkTools(tools, {
    ...parts,
    checksArguments: true,
    async check({ toolCallId, request, options }) {
      const ticket = isHopId(toolCallId) ? await tickets.find(toolCallId) : undefined;
      const admission = await host.check(request, { ...options, ...ofTicket(ticket) });
      if (ticket?.path === undefined || admission.type === "refuse") return admission;
      // Its pipe has asked already, and knew more of it.
      const { binding = "", reason } = ticket.call;
      return { ...admission, type: "ask", binding, ...(reason && { reason }) };
    },
    run: (call) => makeCall(parts, call),
  });
  return { ...made, ...createReadTool(host, parts.scope) };
}

async function* makeCall(
  parts: ChainParts,
  call: MadeCall,
): AsyncGenerator<ToolOutput, void, undefined> {
  const { host, tickets, onHop } = parts;
  const { toolCallId, request, options, isTyped, word } = call;
  let ticket: QuestionTicket | undefined;
  let outcome: Hop | ToolrailError;
  let runId = "";
  try {
    const asked = { ...request.tool, arguments: request.arguments };
    ticket = isHopId(toolCallId) ? await tickets.take(toolCallId, asked) : undefined;
    const said = await word();
    if (ticket?.path !== undefined) {
      return yield await approveStep(tickets, { ticket, approved: said.approved });
    }
    const { admission } = said;
    const admitted = admission && "call" in admission ? admission.call.runId : undefined;
    runId = ticket?.runId ?? admitted ?? engineOf(host).newId();
    const given = { ...options, ...ofTicket(ticket), ...said, runId };
    outcome = yield* withProgress(
      (onProgress) => host.call(request, { ...given, onProgress }),
      (progress) => toProgress([], progress),
    );
  } catch (cause) {
    outcome = toToolrailError(cause, `The call of ${request.tool.id} failed`);
    throwAborted(outcome.code, options.signal);
  }
  const { context } = options;
  const place = { ...(ticket ?? { root: toolCallId, place: options.place }), context };
  const question = ToolrailError.isInstance(outcome, "needs-input") ? outcome.data : undefined;
  if (question && parts.canAsk) {
    await tickets.keep(toQuestionTicket(question, { host, call, runId, before: ticket }));
    return yield { ...toWaiting(WAITING), callId: question.id };
  }
  const next = await decideNext(parts, { outcome, place });
  if (ToolrailError.isInstance(outcome)) return yield await toOutput(toChain([], next), parts);
  await notify(onHop, { toolCallId, hop: outcome });
  const source = next.type === "call" ? outcome : toChain([outcome], next);
  const own = isTyped ? structuredOf(outcome) : {};
  yield { ...(await toOutput(source, parts)), ...own, callId: outcome.callId };
}

/** Who asks for a hop, in which run, and where it stands. */
function ofTicket(ticket: QuestionTicket | undefined): CallOptions {
  if (!ticket) return {};
  const { runId, place, input, call } = ticket;
  const answers = call.question && { question: call.question.id, input: input ?? {} };
  return { runId, origin: call.origin, place, answers };
}

async function decideNext(
  { host, tickets }: ChainParts,
  { outcome, place }: { readonly outcome: Hop | ToolrailError; readonly place: CallPlace },
): Promise<DecidedHop> {
  const engine = engineOf(host);
  const next = await decideHop(engine, outcome, place);
  if (next.type === "end") return next;
  try {
    await tickets.keep(next.ticket);
    return next;
  } catch (cause) {
    const id = toolId(toRef(next.ticket.call));
    const error = toToolrailError(cause, `The call of ${id} could not wait`);
    return decideHop(engine, error, next.ticket);
  }
}

function toChain(hops: readonly Hop[], next: DecidedHop): ChainResult {
  const { type: _, ...end } = next as Extract<DecidedHop, { type: "end" }>;
  return { ...end, runId: hops[0]?.runId ?? "", hops };
}
