import {
  Annotation,
  END,
  interrupt,
  type LangGraphRunnableConfig,
  START,
  StateGraph,
} from "@langchain/langgraph";
import type { Decision, Host, PendingCall } from "@toolrail/core";
import { approvalText, modelNameOf } from "@toolrail/core/adapter";
import type { JsonObject } from "@toolrail/core/json";
import { z } from "zod";
import { readStated } from "./call-config.ts";

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
  const { data, error } = RESPONSE.safeParse(response);
  if (!data) {
    const [{ path = [], message = "" } = {}] = error.issues;
    return { problem: `${["answer", ...path].join(".")}: ${message}. ${EXPECTED}` };
  }
  const { decisions } = data;
  if (decisions.length !== asked.length) {
    return {
      problem: `There are ${asked.length} calls and ${decisions.length} decisions. ${EXPECTED}`,
    };
  }
  const answers: Record<string, Answer> = {};
  for (const [index, decision] of decisions.entries()) {
    const question = asked[index] as Question;
    const { id, name, asked: kept } = question;
    if (decision.type === "approve") answers[id] = { type: "approve", asked: kept };
    if (decision.type === "reject") {
      const { message = "a person rejected it" } = decision;
      answers[id] = { type: "reject", message, asked: kept };
    }
    if (decision.type !== "edit") continue;
    const { name: named = name, args } = decision.editedAction;
    const isOther =
      named !== name && `The edit of ${name} names another tool: an approval is for one tool.`;
    const problem = isOther || (await checkEdit(question, args));
    if (problem !== undefined) return { problem };
    answers[id] = { type: "approve", changes: args, asked: kept };
  }
  return { answers };
}

const EXPECTED =
  'Answer with { decisions: [...] }, one for each call, in order: { type: "approve" }, { type: "edit", editedAction: { args } } or { type: "reject" }.';

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
  const { server, tool, arguments: args, origin, reason } = pending;
  const name = modelNameOf(pending, host.tools);
  const question = { id: "call", name, args, description: approvalText(pending), reason, asked };
  const answers = await askPerson({
    questions: [question],
    config,
    async checkEdit(_, changes) {
      const request = { tool: { server, name: tool }, arguments: changes };
      const checked = await host.check(request, { ...readStated(config), origin });
      return checked.type === "refuse" ? checked.error.message : undefined;
    },
  });
  const answer = answers === "nobody" ? undefined : answers.call;
  if (!answer) {
    return {
      asked,
      decision: { deny: `${reason === undefined ? "" : `${reason}, and `}${NOBODY}` },
    };
  }
  const kept = { asked: answer.asked as Asked };
  if (answer.type === "reject") return { ...kept, decision: { deny: answer.message } };
  const { changes } = answer;
  return { ...kept, decision: changes ? { approve: { arguments: changes } } : "approve" };
}

const NOBODY =
  "it needs a person's approval, and nobody can be asked: this graph has no checkpointer";
