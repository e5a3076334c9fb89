import { type AIMessage, ToolMessage } from "@langchain/core/messages";
import { getConfig, type LangGraphRunnableConfig } from "@langchain/langgraph";
import type { CallOptions, Host, Tool } from "@toolrail/core";
import {
  type AdapterCallOptions,
  approvalText,
  engineOf,
  isHopId,
  modelNameOf,
} from "@toolrail/core/adapter";
import type { JsonObject } from "@toolrail/core/json";
import { type Answer, type Answers, askPerson, type Question } from "./ask-person.ts";
import {
  buildCallKey,
  findTurn,
  readStated,
  readToolCallId,
  type ToolCallParts,
} from "./call-config.ts";
import { readAnswers, readPending } from "./chain-state.ts";

/** A call of a turn, before it is made. */
interface TurnCall {
  readonly id: string;
  readonly tool: Tool;
  readonly arguments: JsonObject;
  readonly options: CallOptions;
}

/** The answers of each turn, by the state that all its calls share in one tools node. */
const turns = new WeakMap<object, Map<Host, Promise<Answers>>>();

/**
 * Returns the person's answer about a call, if its turn needs any. All calls of a turn in one tools node are asked about with
 * one interrupt, before the first is made: LangGraph runs the whole node again when it resumes. `"nobody"` means that the graph
 * has no checkpointer to wait with.
 */
export async function answerFor(call: ToolCallParts): Promise<Answer | "nobody" | undefined> {
  const { host, tool, args, config } = call;
  const { state } = config;
  const toolCallId = readToolCallId(config) ?? "";
  const turn = findTurn(state, toolCallId);
  const id = idOf(turn, toolCallId);
  const given = readAnswers(state);
  if (given) return answerIn(given, id);
  const ask = async () => {
    const calls = turn
      ? callsOf(host, { turn, state, config })
      : [{ id, tool, arguments: args, options: optionsOf(host, config, toolCallId) }];
    return askAboutCalls(host, calls, config);
  };
  const isShared = turn && typeof state === "object" && state !== null;
  return answerIn(await (isShared ? shareTurn(host, state, ask) : ask()), id);
}

function answerIn(answers: Answers, id: string): Answer | "nobody" | undefined {
  if (answers === "nobody") return answers;
  return Object.hasOwn(answers, id) ? answers[id] : undefined;
}

function shareTurn(host: Host, state: object, ask: () => Promise<Answers>): Promise<Answers> {
  const known = turns.get(state) ?? new Map<Host, Promise<Answers>>();
  turns.set(state, known);
  const answers = known.get(host) ?? ask();
  known.set(host, answers);
  answers.catch(() => known.delete(host)); // A retry of the node asks again.
  return answers;
}

/** Asks a person about all calls of the last turn that need it. Returns the answers for the state of the graph. */
export async function askAboutTurn(host: Host, state: unknown): Promise<Answers> {
  const turn = findTurn(state);
  if (!turn) return {};
  const config: LangGraphRunnableConfig = getConfig() ?? {};
  return askAboutCalls(host, callsOf(host, { turn, state, config }), config);
}

interface Turn {
  readonly turn: AIMessage;
  readonly state: unknown;
  readonly config: LangGraphRunnableConfig;
}

/** Lists the calls of a turn to tools of the host that have no result yet. */
function callsOf(host: Host, { turn, state, config }: Turn): TurnCall[] {
  const { messages = state } = (state ?? {}) as { readonly messages?: unknown };
  const after = Array.isArray(messages) ? messages.slice(messages.indexOf(turn) + 1) : [];
  const answered = new Set(
    after.filter(ToolMessage.isInstance).map(({ tool_call_id }) => tool_call_id),
  );
  return (turn.tool_calls ?? []).flatMap(({ id: toolCallId = "", name, args }) => {
    const tool = host.tools.find(({ modelName }) => modelName === name);
    const pending = readPending(state, toolCallId);
    if (!tool || answered.has(toolCallId) || (isHopId(toolCallId) && !pending)) return [];
    const options = optionsOf(host, { ...config, state }, toolCallId);
    return { id: idOf(turn, toolCallId), tool, arguments: args, options };
  });
}

/** Models repeat the ids of calls, so the id of a question has that of the message as well. */
function idOf(turn: AIMessage | undefined, toolCallId: string): string {
  return JSON.stringify([turn?.id ?? "", toolCallId]);
}

/** The options of a call that count for its policies and its approval. */
export function optionsOf(
  host: Host,
  config: LangGraphRunnableConfig & { readonly state?: unknown },
  toolCallId: string,
): AdapterCallOptions {
  const pending = readPending(config.state, toolCallId);
  const stated = { ...readStated(config), signal: config.signal };
  if (pending) {
    const { key, runId, call } = pending;
    return { ...stated, key, runId, origin: call.origin };
  }
  const origin = { by: "model", ...(toolCallId !== "" && { toolCallId }) } as const;
  return { ...stated, key: buildCallKey(host, config, toolCallId), origin };
}

async function askAboutCalls(
  host: Host,
  calls: readonly TurnCall[],
  config: LangGraphRunnableConfig,
): Promise<Answers> {
  const questions = await Promise.all(calls.map((call) => toQuestion(host, call)));
  return askPerson({
    config,
    questions: questions.flatMap((question) => question ?? []),
    async checkEdit({ id, asked }, changes) {
      const call = calls.find((one) => one.id === id);
      if (!call) return "The call has changed since.";
      const options = { ...call.options, approved: String(asked), changes };
      const checked = await host.check({ tool: call.tool, arguments: call.arguments }, options);
      return checked.type === "refuse" ? checked.error.message : undefined;
    },
  });
}

async function toQuestion(
  host: Host,
  { id, tool, arguments: args, options }: TurnCall,
): Promise<Question | undefined> {
  if (!engineOf(host).mayAsk(tool)) return undefined;
  const checked = await host.check({ tool, arguments: args }, options);
  if (checked.type !== "ask") return undefined;
  const { binding: asked, reason } = checked;
  const { origin, references } = checked.call;
  const about = { server: tool.server, tool: tool.name, arguments: args, origin };
  const why = { ...(reason !== undefined && { reason }), ...(references && { references }) };
  const description = approvalText({ ...about, ...why });
  return { id, name: modelNameOf(about, host.tools), args, description, reason, asked };
}
