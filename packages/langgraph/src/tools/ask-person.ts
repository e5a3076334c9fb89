import { type AIMessage, ToolMessage } from "@langchain/core/messages";
import {
  Annotation,
  END,
  getConfig,
  interrupt,
  type LangGraphRunnableConfig,
  START,
  StateGraph,
} from "@langchain/langgraph";
import type { CallOptions, Decision, Host, PendingCall, Tool } from "@toolrail/core";
import {
  type AdapterCallOptions,
  approvalText,
  engineOf,
  isHopId,
  modelNameOf,
} from "@toolrail/core/adapter";
import type { JsonObject } from "@toolrail/core/json";
import { z } from "zod";
import {
  buildCallKey,
  type CallConfig,
  findTurn,
  innerConfig,
  messagesOf,
  readStated,
  readToolCallId,
  type ToolCallParts,
} from "./call-config.ts";
import { readAnswers, readPending } from "./chain-state.ts";

/** The interrupt of a run that waits for approvals, in the form of LangChain's `humanInTheLoopMiddleware`. */
export interface ApprovalRequest {
  /** The calls that wait, in the order in which the answer must decide about them. */
  readonly actionRequests: readonly {
    readonly name: string;
    readonly args: Record<string, unknown>;
    readonly description: string;
    /** The policy's reason to ask, as in the description. Absent if there is none. */
    readonly reason?: string;
  }[];
  readonly reviewConfigs: readonly {
    readonly actionName: string;
    readonly allowedDecisions: readonly ("approve" | "edit" | "reject")[];
  }[];
  /** The reason why the last answer did not count. Absent in the first request. */
  readonly problem?: string;
}

const DECISION = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("approve"),
    /** Refused, so that no call is made with the arguments before an edit. */
    editedAction: z.undefined('an edit has the type "edit"').optional(),
  }),
  z.object({
    type: z.literal("edit"),
    /** `name` is that of the call in the request. Default: the same. */
    editedAction: z.object({
      name: z.string().optional(),
      args: z.record(z.string(), z.unknown()),
    }),
  }),
  z.object({ type: z.literal("reject"), message: z.string().optional() }),
]);

const RESPONSE = z.object({ decisions: z.array(DECISION) });

/**
 * The value that resumes an `ApprovalRequest`: `new Command({ resume: { decisions: [{ type: "approve" }] } })`, with one
 * decision for each call, in their order. An edit approves the call with other arguments, of the same tool. An answer that
 * does not fit decides nothing: the person is asked again, with the `problem`.
 */
export type ApprovalResponse = z.infer<typeof RESPONSE>;

/** A call that a person has to approve. Plain JSON, which the checkpoint keeps. */
interface Question {
  /** An id that no other call of the same task has. */
  readonly id: string;
  readonly name: string;
  readonly args: JsonObject;
  readonly description: string;
  readonly reason?: string | undefined;
  /** The core's description of the question, or its state: what the person was asked about, whatever changes until they answer. */
  readonly asked: unknown;
}

/** A person's decision on a question. It is `"nobody"` if the graph has no checkpointer to wait with. */
export type Answer =
  | { readonly type: "approve"; readonly asked: unknown; readonly changes?: JsonObject }
  | { readonly type: "reject"; readonly asked: unknown; readonly message: string }
  | { readonly type: "nobody" };

/** The answers by the ids of their questions. */
export type Answers = { readonly [id: string]: Answer };

interface Asking {
  readonly questions: readonly Question[];
  readonly config: LangGraphRunnableConfig;
  /** Returns why a person's other arguments cannot be sent, or `undefined` if they can. */
  checkEdit(question: Question, args: JsonObject): Promise<string | undefined>;
}

const State = Annotation.Root({
  questions: Annotation<readonly Question[]>,
  problem: Annotation<string | undefined>,
  answers: Annotation<Answers | undefined>,
});

/**
 * Asks a person about calls with one interrupt, before any of them is made. The questions are kept in a checkpoint of a graph
 * inside the task, so that an answer counts for what the person was asked, even in another process.
 */
async function askPerson({ questions, config, checkEdit }: Asking): Promise<Answers> {
  if (questions.length === 0) return {};
  let isNew = false;
  const graph = new StateGraph(State)
    .addNode("ask", () => {
      isNew = true;
      return {};
    })
    .addNode("wait", async ({ questions: asked, problem }) => {
      const answer: unknown = interrupt(toRequest(asked, problem));
      // LangGraph gives an answer without an id to any task. In the run that asks, it cannot be an answer to this question.
      if (isNew) return { problem: "The calls have changed since. Decide again." };
      return readAnswer(answer, { asked, checkEdit });
    })
    .addEdge(START, "ask")
    .addEdge("ask", "wait")
    .addConditionalEdges("wait", ({ answers }) => (answers ? END : "wait"), ["wait", END])
    .compile();
  try {
    return (await graph.invoke({ questions }, innerConfig(config))).answers ?? {};
  } catch (error) {
    if (Object(error).lc_error_code !== "MISSING_CHECKPOINTER") throw error;
    return Object.fromEntries(questions.map(({ id }) => [id, { type: "nobody" }]));
  }
}

function toRequest(questions: readonly Question[], problem: string | undefined): ApprovalRequest {
  const prefix = problem === undefined ? "" : `${problem}\n\n`;
  return {
    actionRequests: questions.map(({ name, args, description, reason }) => {
      const why = reason !== undefined && { reason };
      return { name, args: { ...args }, description: prefix + description, ...why };
    }),
    reviewConfigs: questions.map(({ name }) => {
      return { actionName: name, allowedDecisions: ["approve", "edit", "reject"] };
    }),
    ...(problem !== undefined && { problem }),
  };
}

async function readAnswer(
  response: unknown,
  { asked, checkEdit }: { asked: readonly Question[]; checkEdit: Asking["checkEdit"] },
): Promise<{ answers: Answers } | { problem: string }> {
  const { data, error } = RESPONSE.safeParse(response);
  if (!data) {
    const [{ path = [], message = "" } = {}] = error.issues;
    return { problem: `${["answer", ...path].join(".")}: ${message}. ${EXPECTED}` };
  }
  const { decisions } = data;
  if (decisions.length !== asked.length) {
    const problem = `There are ${asked.length} calls and ${decisions.length} decisions. ${EXPECTED}`;
    return { problem };
  }
  const answers: Record<string, Answer> = {};
  for (const [index, decision] of decisions.entries()) {
    const question = asked[index] as Question;
    const { id, name, asked: kept } = question;
    if (decision.type === "reject") {
      const { message = "a person rejected it" } = decision;
      answers[id] = { type: "reject", message, asked: kept };
      continue;
    }
    answers[id] = { type: "approve", asked: kept };
    if (decision.type === "approve") continue;
    const { name: named = name, args: changes } = decision.editedAction;
    const isOther =
      named !== name && `The edit of ${name} names another tool: an approval is for one tool.`;
    const problem = isOther || (await checkEdit(question, changes));
    if (problem !== undefined) return { problem };
    answers[id] = { type: "approve", changes, asked: kept };
  }
  return { answers };
}

const EXPECTED =
  'Answer with { decisions: [...] }, one for each call, in order: { type: "approve" }, { type: "edit", editedAction: { args } } or { type: "reject" }.';

function toQuestion(
  { tools }: Host,
  { id, pending, asked }: Pick<Question, "id" | "asked"> & { readonly pending: PendingCall },
): Question {
  const { arguments: args, reason } = pending;
  const [name, description] = [modelNameOf(pending, tools), approvalText(pending)];
  return { id, name, args, description, reason, asked };
}

interface Pending<Asked> {
  readonly pending: PendingCall;
  /** What the person is asked about, as plain JSON. */
  readonly asked: Asked;
  readonly config: LangGraphRunnableConfig;
}

/** Asks a person about one pending call. Returns the decision, and what they were asked about, which may have changed since. */
export async function decidePending<Asked>(
  host: Host,
  { pending, asked, config }: Pending<Asked>,
): Promise<{ readonly asked: Asked; readonly decision: Decision }> {
  const { server, tool, origin, reason } = pending;
  const { call: answer } = await askPerson({
    questions: [toQuestion(host, { id: "call", pending, asked })],
    config,
    async checkEdit(_, changes) {
      const request = { tool: { server, name: tool }, arguments: changes };
      const checked = await host.check(request, { ...readStated(config), origin });
      return checked.type === "refuse" ? checked.error.message : undefined;
    },
  });
  if (!answer || answer.type === "nobody") {
    const why = reason === undefined ? "" : `${reason}, and `;
    return { asked, decision: { deny: why + NOBODY } };
  }
  const kept = { asked: answer.asked as Asked };
  if (answer.type === "reject") return { ...kept, decision: { deny: answer.message } };
  const { changes } = answer;
  return { ...kept, decision: changes ? { approve: { arguments: changes } } : "approve" };
}

const NOBODY =
  "it needs a person's approval, and nobody can be asked: this graph has no checkpointer";

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
 * one interrupt, before the first is made: LangGraph runs the whole node again when it resumes.
 */
export async function answerFor(call: ToolCallParts): Promise<Answer | undefined> {
  const { host, tool, args, config } = call;
  const { state } = config;
  const toolCallId = readToolCallId(config) ?? "";
  const turn = findTurn(state, toolCallId);
  const id = idOf(turn, toolCallId);
  const ask = () => {
    const own = { id, tool, arguments: args, options: optionsOf(host, config, toolCallId) };
    const calls = turn ? callsOf(host, turn, config) : [own];
    return askAboutCalls(host, calls, config);
  };
  const answers =
    readAnswers(state) ?? (await (turn ? shareTurn(host, Object(state), ask) : ask()));
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
  const config = { ...getConfig(), state };
  return askAboutCalls(host, callsOf(host, turn, config), config);
}

/** Lists the calls of a turn to tools of the host that have no result yet. */
function callsOf(host: Host, turn: AIMessage, config: CallConfig): TurnCall[] {
  const messages = messagesOf(config.state);
  const results = messages.slice(messages.indexOf(turn) + 1).filter(ToolMessage.isInstance);
  const answered = new Set(results.map(({ tool_call_id }) => tool_call_id));
  return (turn.tool_calls ?? []).flatMap(({ id: toolCallId = "", name, args }) => {
    const tool = host.tools.find(({ modelName }) => modelName === name);
    const pending = readPending(config.state, toolCallId);
    if (!tool || answered.has(toolCallId) || (isHopId(toolCallId) && !pending)) return [];
    const options = optionsOf(host, config, toolCallId);
    return { id: idOf(turn, toolCallId), tool, arguments: args, options };
  });
}

/** Models repeat the ids of calls, so the id of a question has that of the message as well. */
function idOf(turn: AIMessage | undefined, toolCallId: string): string {
  return JSON.stringify([turn?.id ?? "", toolCallId]);
}

/** The options of a call that count for its policies and its approval. */
export function optionsOf(host: Host, config: CallConfig, toolCallId: string): AdapterCallOptions {
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
  const questions = await Promise.all(calls.map((call) => askAbout(host, call)));
  return askPerson({
    config,
    questions: questions.flat(),
    async checkEdit({ id, asked }, changes) {
      const call = calls.find((one) => one.id === id);
      if (!call) return "The call has changed since.";
      const options = { ...call.options, approved: String(asked), changes };
      const checked = await host.check({ tool: call.tool, arguments: call.arguments }, options);
      return checked.type === "refuse" ? checked.error.message : undefined;
    },
  });
}

async function askAbout(
  host: Host,
  { id, tool, arguments: args, options }: TurnCall,
): Promise<Question[]> {
  if (!engineOf(host).mayAsk(tool)) return [];
  const checked = await host.check({ tool, arguments: args }, options);
  if (checked.type !== "ask") return [];
  const { binding: asked, reason, call } = checked;
  const { origin, references } = call;
  const why = { ...(reason !== undefined && { reason }), ...(references && { references }) };
  const pending = { server: tool.server, tool: tool.name, arguments: args, origin, ...why };
  return [toQuestion(host, { id, pending, asked })];
}
