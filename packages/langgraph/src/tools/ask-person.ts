import {
  Annotation,
  END,
  interrupt,
  type LangGraphRunnableConfig,
  START,
  StateGraph,
} from "@langchain/langgraph";
import { isJsonObject, type JsonObject } from "@toolrail/core/json";

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

/**
 * The value that resumes an `ApprovalRequest`: `new Command({ resume: { decisions: [{ type: "approve" }] } })`, with one
 * decision for each call, in their order. An edit approves the call with other arguments, of the same tool. An answer that
 * does not fit decides nothing: the person is asked again, with the `problem`.
 */
export interface ApprovalResponse {
  readonly decisions: readonly (
    | { readonly type: "approve" }
    | {
        readonly type: "edit";
        readonly editedAction: {
          /** The name of the call in the request. Default: the same. */
          readonly name?: string;
          readonly args: Readonly<Record<string, unknown>>;
        };
      }
    | { readonly type: "reject"; readonly message?: string }
  )[];
}

/** A call that a person has to approve. Plain JSON, which the checkpoint keeps. */
export interface Question {
  /** An id that no other call of the same task has. */
  readonly id: string;
  readonly name: string;
  readonly args: JsonObject;
  readonly description: string;
  readonly reason?: string | undefined;
  /** The core's description of the question, or its state: what the person was asked about, whatever changes until they answer. */
  readonly asked: unknown;
}

/** A person's decision on a question. */
export type Answer = Pick<Question, "asked"> &
  (
    | { readonly type: "approve"; readonly changes?: JsonObject }
    | { readonly type: "reject"; readonly message: string }
  );

/** The answers by the ids of their questions, or `"nobody"` if the graph has no checkpointer to wait with. */
export type Answers = { readonly [id: string]: Answer } | "nobody";

interface Asking {
  readonly questions: readonly Question[];
  readonly config: LangGraphRunnableConfig;
  /** Returns why a person's other arguments cannot be sent, or `undefined` if they can. */
  readonly checkEdit?: (question: Question, args: JsonObject) => Promise<string | undefined>;
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
export async function askPerson({
  questions,
  config,
  checkEdit = async () => undefined,
}: Asking): Promise<Answers> {
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
  const { configurable = {}, context, signal } = config;
  const inside = { configurable, ...(context && { context }), ...(signal && { signal }) };
  try {
    return (await graph.invoke({ questions }, inside)).answers ?? {};
  } catch (error) {
    if (Object(error).lc_error_code === "MISSING_CHECKPOINTER") return "nobody";
    throw error;
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
  { asked, checkEdit }: { asked: readonly Question[]; checkEdit: NonNullable<Asking["checkEdit"]> },
): Promise<{ answers: Answers } | { problem: string }> {
  const { decisions } = isJsonObject(response) ? response : {};
  if (!Array.isArray(decisions)) return { problem: EXPECTED };
  if (decisions.length !== asked.length) {
    return {
      problem: `There are ${asked.length} calls and ${decisions.length} decisions. ${EXPECTED}`,
    };
  }
  const answers: Record<string, Answer> = {};
  for (const [index, question] of asked.entries()) {
    const answer = readDecision(decisions[index], question);
    if (typeof answer === "string") return { problem: answer };
    const { changes } = answer.type === "approve" ? answer : {};
    const problem = changes && (await checkEdit(question, changes));
    if (problem !== undefined) return { problem };
    answers[question.id] = answer;
  }
  return { answers };
}

/** Returns the answer to a question, or why the decision is none. */
function readDecision(decision: unknown, { name, asked }: Question): Answer | string {
  const { type, message, editedAction } = isJsonObject(decision) ? decision : {};
  if (type === "approve") return { type, asked };
  if (type === "reject") {
    return { type, message: typeof message === "string" ? message : "a person rejected it", asked };
  }
  if (type !== "edit") return `The decision on ${name} has another type. ${EXPECTED}`;
  const { name: named = name, args } = isJsonObject(editedAction) ? editedAction : {};
  if (named !== name) return `The edit of ${name} names another tool: an approval is for one tool.`;
  if (!isJsonObject(args)) return `The edit of ${name} has no editedAction: { name, args }.`;
  return { type: "approve", changes: args, asked };
}

const EXPECTED =
  'Answer with { decisions: [...] }, one for each call, in order: { type: "approve" }, { type: "edit", editedAction } or { type: "reject" }.';
