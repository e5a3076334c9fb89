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
  modelNameOf,
} from "@toolrail/core/adapter";
import { type JsonObject, readShape } from "@toolrail/core/json";
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
  /** The call with the core's description of the question: what the person was asked about, whatever changes until they answer. */
  readonly pending: PendingCall;
  /** The state of the one who asks. */
  readonly asked?: unknown;
}

/** A question with a person's decision about it. */
export interface Answer extends Question {
  readonly decision: Decision;
}

/** The answers by the ids of their questions: `"nobody"` if the graph has no checkpointer, and so cannot wait. */
export type Answers = { readonly [id: string]: Answer | "nobody" };

interface Asking {
  readonly questions: readonly Question[];
  readonly config: LangGraphRunnableConfig;
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
async function askPerson(host: Host, { questions, config }: Asking): Promise<Answers> {
  if (questions.length === 0) return {};
  let isNew = false;
  const graph = new StateGraph(State)
    .addNode("ask", () => {
      isNew = true;
      return {};
    })
    .addNode("wait", async ({ questions: asked, problem }) => {
      const answer: unknown = interrupt(toRequest(host, asked, problem));
      // LangGraph gives an answer without an id to any task. In the run that asks, it cannot be an answer to this question.
      if (isNew) return { problem: "The calls have changed since. Decide again." };
      return readAnswer(host, answer, { questions: asked, config });
    })
    .addEdge(START, "ask")
    .addEdge("ask", "wait")
    .addConditionalEdges("wait", ({ answers }) => (answers ? END : "wait"), ["wait", END])
    .compile();
  try {
    return (await graph.invoke({ questions }, innerConfig(config))).answers ?? {};
  } catch (error) {
    if (Object(error).lc_error_code !== "MISSING_CHECKPOINTER") throw error;
    return Object.fromEntries(questions.map(({ id }) => [id, "nobody"]));
  }
}

function toRequest(
  { tools }: Host,
  questions: readonly Question[],
  problem: string | undefined,
): ApprovalRequest {
  const prefix = problem === undefined ? "" : `${problem}\n\n`;
  const actionRequests = questions.map(({ pending }) => {
    const { arguments: args, reason } = pending;
    const description = prefix + approvalText(pending);
    const why = reason !== undefined && { reason };
    return { name: modelNameOf(pending, tools), args: { ...args }, description, ...why };
  });
  return {
    actionRequests,
    reviewConfigs: actionRequests.map(({ name }) => {
      return { actionName: name, allowedDecisions: ["approve", "edit", "reject"] };
    }),
    ...(problem !== undefined && { problem }),
  };
}

/** Reads a person's answer. The problem is the reason why it decides nothing. */
async function readAnswer(
  host: Host,
  response: unknown,
  { questions, config }: Asking,
): Promise<{ answers: Answers } | { problem: string }> {
  const { value, defect } = readShape(RESPONSE, response);
  if (!value) return { problem: `Of the answer, ${defect}. ${EXPECTED}` };
  const { decisions } = value;
  if (decisions.length !== questions.length) {
    const counts = `${questions.length} calls and ${decisions.length} decisions`;
    return { problem: `There are ${counts}. ${EXPECTED}` };
  }
  const answers: Record<string, Answer> = {};
  for (const [index, question] of questions.entries()) {
    const given = decisions[index] as (typeof decisions)[number];
    const decision = await readDecision(host, given, { ...question, config });
    if (typeof decision === "object" && "problem" in decision) return decision;
    answers[question.id] = { ...question, decision };
  }
  return { answers };
}

const EXPECTED =
  'Answer with { decisions: [...] }, one for each call, in order: { type: "approve" }, { type: "edit", editedAction: { args } } or { type: "reject" }.';

async function readDecision(
  host: Host,
  given: z.infer<typeof DECISION>,
  { pending, config }: Question & Pick<Asking, "config">,
): Promise<Decision | { readonly problem: string }> {
  if (given.type === "approve") return "approve";
  if (given.type === "reject") return { deny: given.message ?? "a person rejected it" };
  const own = modelNameOf(pending, host.tools);
  const { name = own, args } = given.editedAction;
  if (name !== own)
    return { problem: `The edit of ${own} names another tool: an approval is for one tool.` };
  const { server, tool, origin } = pending;
  const request = { tool: { server, name: tool }, arguments: args };
  const checked = await host.check(request, { ...readStated(config), origin });
  if (checked.type === "refuse") return { problem: checked.error.message };
  return { approve: { arguments: args } };
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
  const questions = [{ id: "call", pending, asked }];
  const { call: answer } = await askPerson(host, { questions, config });
  if (answer && answer !== "nobody")
    return { asked: answer.asked as Asked, decision: answer.decision };
  const why = pending.reason === undefined ? "" : `${pending.reason}, and `;
  return { asked, decision: { deny: why + NOBODY } };
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
export async function answerFor(
  { host, tool, args, config }: ToolCallParts,
  options: CallOptions,
): Promise<Answers[string] | undefined> {
  const { state } = config;
  const toolCallId = readToolCallId(config) ?? "";
  const turn = findTurn(state, toolCallId);
  if (!turn && !engineOf(host).mayAsk(tool)) return undefined;
  const id = idOf(turn, toolCallId);
  const ask = () => {
    const calls = turn ? callsOf(host, turn, config) : [{ id, tool, arguments: args, options }];
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

/** Lists the calls of a turn that a person may be asked about and that have no result yet. */
function callsOf(host: Host, turn: AIMessage, config: CallConfig): TurnCall[] {
  const messages = messagesOf(config.state);
  const since = messages.slice(messages.indexOf(turn) + 1);
  return (turn.tool_calls ?? []).flatMap(({ id: toolCallId = "", name, args }) => {
    const tool = host.tools.find(({ modelName }) => modelName === name);
    if (!tool || !engineOf(host).mayAsk(tool)) return [];
    const isAnswered = since.some(
      (message) => ToolMessage.isInstance(message) && message.tool_call_id === toolCallId,
    );
    if (isAnswered) return [];
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
  return askPerson(host, { questions: questions.flat(), config });
}

async function askAbout(
  host: Host,
  { id, tool, arguments: args, options }: TurnCall,
): Promise<Question[]> {
  const checked = await host.check({ tool, arguments: args }, options);
  if (checked.type !== "ask") return [];
  const { binding, reason, call } = checked;
  const { key, conversation } = options;
  const { origin, references } = call;
  const pending = {
    ...{ server: tool.server, tool: tool.name, arguments: args, origin, binding },
    ...(key !== undefined && { key }),
    ...(conversation !== undefined && { conversation }),
    ...(reason !== undefined && { reason }),
    ...(references && { references }),
  };
  return [{ id, pending }];
}
