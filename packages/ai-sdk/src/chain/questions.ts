import type { ApprovalDecision, Host, InputAnswers, InputDecision, Question } from "@toolrail/core";
import { engineOf, type HopTicket, hopId, isJsonObject } from "@toolrail/core/adapter";
import type { ToolCallPart } from "../answer-model.ts";
import { toInputSchema } from "../sdk-internals.ts";
import { toMark } from "../tools/marks.ts";
import { asRecord, type MessagePart, mapParts } from "../tools/messages.ts";
import type { SdkCall } from "../tools/sdk-tool.ts";
import { ofView, type ToolOutput } from "../tools/tool-output.ts";

/** A call that waits for what its server asks of the user, and then for its turn to be made again. Or for its pipe. */
export interface QuestionTicket extends HopTicket {
  readonly input?: InputAnswers | undefined;
  /** Of a step of a pipe: its path, and what has been said to it. */
  readonly path?: string;
  readonly decision?: ApprovalDecision | InputDecision;
  /** Of a pipe that waits: the tickets of the steps that do, by their paths. */
  readonly asks?: Readonly<Record<string, string>>;
}

/** What messages hold: the ids of all calls, and the results since the last turn. */
export interface Said {
  readonly begun: ReadonlySet<unknown>;
  readonly results: readonly MessagePart[];
}

interface Waiting {
  readonly host: Host;
  readonly call: SdkCall;
  readonly runId: string;
  /** Of a call that is a hop itself. */
  readonly before: HopTicket | undefined;
}

/** The ticket of a call that is made again when its question is answered, at the place that it has. */
export function toQuestionTicket(question: Question, waiting: Waiting): QuestionTicket {
  const { host, call, runId, before } = waiting;
  const { ticketTtlMs, now } = engineOf(host);
  const { tool, arguments: args } = call.request;
  const { origin = { by: "application" }, place = runId } = call.options;
  const at = before ?? {
    root: call.toolCallId,
    place,
    call: { server: tool.server, tool: tool.name, arguments: args, origin },
    seen: [],
  };
  const expiresAtMs = now() + ticketTtlMs;
  const asked = { ...at.call, question };
  return { ...at, id: hopId(question.id), runId, call: asked, expiresAtMs, input: undefined };
}

/** The name of the tool whose calls a page answers. Nothing runs it, so that the run ends with such a call. */
export const ASK_USER = "ask_user";

export const askUser = {
  type: "dynamic",
  inputSchema: toInputSchema({ type: "object" }, () => undefined),
} as const;

const askId = ({ id }: Question) => `ask-${id}`;

function isQuestion({ toolName, toolCallId }: MessagePart): boolean {
  return toolName === ASK_USER && String(toolCallId).startsWith("ask-");
}

/** The call that a page answers. */
export function toAskCall({ root, call }: HopTicket, question: Question): ToolCallPart {
  const { id: _, ...asked } = question;
  return {
    type: "tool-call",
    toolCallId: askId(question),
    toolName: ASK_USER,
    input: JSON.stringify({ server: call.server, tool: call.tool, ...asked }),
    providerMetadata: toMark({ root }),
  };
}

/** The answer to a question in these messages, or how far it has come. What is no object puts it away. */
export function readQuestion(
  question: Question,
  { begun, results }: Said,
): InputAnswers | "open" | "left" {
  const id = askId(question);
  const result = results.findLast((part) => part.toolCallId === id);
  if (!result) return begun.has(id) ? "left" : "open";
  const { type, value } = asRecord(result.output);
  if (type === "json" && isJsonObject(value)) return value as InputAnswers; // The door checks it.
  const cancelled = Object.keys(question.requests).map((key) => [key, { action: "cancel" }]);
  return Object.fromEntries(cancelled);
}

/** The messages as models read them: without what a page was asked and what it said. */
export function withoutQuestions(messages: readonly unknown[]): readonly unknown[] {
  return mapParts(messages, (part) => (isQuestion(part) ? [] : [part]));
}

/** The output of a call that waits: what comes of it later is told in its place. */
export function toWaiting(text: string): ToolOutput {
  const content = [{ type: "text", text }] as const;
  return ofView({ content, isError: false, placeholder: true, userOnly: false }, []);
}

export const WAITING =
  "The tool asked the user something and got no answer, so it did not continue.";
