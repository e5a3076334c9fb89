import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { HumanMessage, SystemMessage } from "@langchain/core/messages";
import {
  Annotation,
  type BaseCheckpointSaver,
  END,
  type LangGraphRunnableConfig,
  START,
  StateGraph,
} from "@langchain/langgraph";
import {
  type ApprovalDecision,
  checkPlan,
  checkQuery,
  discoverTools,
  type GuardOutcome,
  type Host,
  outcomeText,
  type Plan,
  parsePlan,
  plannerPrompt,
  type QueryState,
  type QueryVerdict,
  type SingleStep,
  type SingleStepOptions,
  type SummaryVerdict,
  summarizeOutcome,
  summaryPrompt,
  ToolrailError,
  toBlocked,
  toGuardOutcome,
  toSingleStep,
} from "@toolrail/core";
import { askPerson } from "./approval.ts";

export interface SingleStepGraphOptions extends SingleStepOptions {
  /** Plans, and summarises where `summarize` says so. It is never given tools. */
  readonly model: BaseChatModel;
  /** A host, with the rest of the guard beside it, or a single step that has it all. */
  readonly host: Host | SingleStep;
  /** The policy gate for queries. Default: allow. */
  readonly policy?: (query: string) => QueryVerdict | PromiseLike<QueryVerdict>;
  /** Asks the model for a summary of a typed result. Default false. */
  readonly summarize?: boolean;
  /** Needed where calls wait for a person. */
  readonly checkpointer?: BaseCheckpointSaver;
}

const State = Annotation.Root({
  query: Annotation<string>,
  step: Annotation<QueryState | null>,
  plan: Annotation<string | Plan | null>,
  decision: Annotation<ApprovalDecision | null>,
  outcome: Annotation<GuardOutcome | null>,
  summary: Annotation<SummaryVerdict | null>,
  answer: Annotation<string>,
});
const Input = Annotation.Root({ query: Annotation<string> });
type GraphState = typeof State.State;

const FRESH = { step: null, plan: null, decision: null, outcome: null, summary: null, answer: "" };

/**
 * The whole way of a query under guard as a graph with one node for each gate: query, tools, plan,
 * checks, approval, call, summary, reply. Input is `{ query }`; `outcome` says what became of it and
 * `answer` tells the user. A call that needs approval waits with an interrupt.
 */
export function createSingleStepGraph(options: SingleStepGraphOptions) {
  const { model, host: target, policy, summarize = false, checkpointer } = options;
  const guard = toSingleStep(target, options);
  const ask = async (prompt: string, text: string, { signal }: LangGraphRunnableConfig) => {
    const messages = [new SystemMessage(prompt), new HumanMessage(text)];
    return (await model.invoke(messages, signal ? { signal } : {})).text;
  };
  return new StateGraph({ state: State, input: Input })
    .addNode("check_query", async ({ query }) => {
      const error = await checkQuery(query, policy);
      return { ...FRESH, ...(error && { outcome: toBlocked(error) }) };
    })
    .addNode("discover_tools", async () => {
      await discoverTools(guard);
      return { step: guard.startQuery().state };
    })
    .addNode("plan_call", async ({ query }, config) => ({
      plan: await ask(plannerPrompt(guard.tools), query, config),
    }))
    .addNode("check_plan", async ({ plan }) => checkText(guard, String(plan)))
    .addNode("approve_call", async ({ outcome }) => {
      const pending = outcome?.verdict === "ask" ? outcome.pending : undefined;
      return { decision: askPerson(guard.host, pending) ?? { deny: "nobody can be asked" } };
    })
    .addNode("make_call", (state, config) => makeCall(guard, state, config))
    .addNode("summarize_result", async ({ query, outcome }, config) => {
      const write = (_: string, value: unknown) =>
        ask(summaryPrompt(), JSON.stringify(value), config);
      const summary = outcome && (await summarizeOutcome(query, outcome, write));
      return { summary: summary ?? null };
    })
    .addNode("reply", ({ outcome, summary }) => ({ answer: toAnswer(outcome, summary) }))
    .addEdge(START, "check_query")
    .addConditionalEdges("check_query", ({ outcome }) => (outcome ? "reply" : "discover_tools"), [
      "discover_tools",
      "reply",
    ])
    .addEdge("discover_tools", "plan_call")
    .addEdge("plan_call", "check_plan")
    .addConditionalEdges("check_plan", afterCheck, ["approve_call", "make_call", "reply"])
    .addEdge("approve_call", "make_call")
    .addConditionalEdges(
      "make_call",
      ({ outcome }) => (summarize && outcome?.code === "complete" ? "summarize_result" : "reply"),
      ["summarize_result", "reply"],
    )
    .addEdge("summarize_result", "reply")
    .addEdge("reply", END)
    .compile(checkpointer ? { checkpointer } : {});
}

async function checkText(guard: SingleStep, text: string): Promise<Partial<GraphState>> {
  try {
    const plan = parsePlan(text);
    const outcome = toGuardOutcome(await checkPlan(plan, guard));
    return { plan, ...(outcome && { outcome }) };
  } catch (cause) {
    if (!ToolrailError.isInstance(cause)) throw cause;
    return { outcome: toBlocked(cause) };
  }
}

function afterCheck({ outcome }: GraphState): "approve_call" | "make_call" | "reply" {
  if (!outcome) return "make_call";
  return outcome.verdict === "ask" ? "approve_call" : "reply";
}

async function makeCall(
  guard: SingleStep,
  { step, plan, decision }: GraphState,
  { signal }: LangGraphRunnableConfig,
): Promise<Partial<GraphState>> {
  const query = guard.startQuery(step ?? { id: "", phase: "spent", refusals: 0 });
  let outcome = await query.run(plan as Plan, { signal });
  if (outcome.verdict === "ask" && decision) outcome = await query.resume(decision, { signal });
  if (outcome.code === "aborted") signal?.throwIfAborted();
  return { outcome, step: query.state };
}

/** The grounded claims with their evidence, or what the tool itself says. */
function toAnswer(outcome: GuardOutcome | null, summary: SummaryVerdict | null): string {
  const { bullets = [], risks = [], recommendations = [] } = summary?.summary ?? {};
  const claims = [...bullets, ...risks, ...recommendations];
  if (claims.length === 0) return outcome ? outcomeText(outcome) : "";
  return claims.map(({ claim, evidence }) => `- ${claim} ("${evidence}")`).join("\n");
}
