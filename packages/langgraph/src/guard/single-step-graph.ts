import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
import type { BaseMessageLike } from "@langchain/core/messages";
import {
  Annotation,
  type BaseCheckpointSaver,
  END,
  type LangGraphRunnableConfig,
  START,
  StateGraph,
} from "@langchain/langgraph";
import { type Host, ToolrailError } from "@toolrail/core";
import { createOptionCheck, invalidOptions } from "@toolrail/core/adapter";
import {
  type AnswerOptions,
  checkQuery,
  createSingleStep,
  GUARD_OPTIONS,
  type GuardOutcome,
  outcomeText,
  type Plan,
  parsePlan,
  plannerPrompt,
  type QueryState,
  type SingleStepOptions,
  type SummaryVerdict,
  shutQuery,
  summarizeOutcome,
  summaryPrompt,
  toBlocked,
} from "@toolrail/core/guard";
import { readStated } from "../tools/call-config.ts";
import { finishCall } from "./single-step-middleware.ts";

/** The model, the rules and the checkpointer of `createSingleStepGraph`. */
export interface SingleStepGraphOptions extends SingleStepOptions {
  /** The model that plans, and that summarises if `summarize` is true. It never receives tools. */
  readonly model: BaseChatModel;
  /** The policy for queries. Default: allows all. */
  readonly policy?: AnswerOptions["policy"];
  /** Asks the model for a summary of a typed result. Default false. */
  readonly summarize?: boolean;
  /** Saves the state of a run. Required if calls wait for a person. Default: none. */
  readonly checkpointer?: BaseCheckpointSaver;
}

const checkOptions = /* @__PURE__ */ createOptionCheck<SingleStepGraphOptions>(
  "createSingleStepGraph",
  {
    ...GUARD_OPTIONS,
    model: "object",
    policy: "function",
    summarize: "boolean",
    checkpointer: "object",
  },
  { isRequired: true },
);

const State = Annotation.Root({
  query: Annotation<string>,
  step: Annotation<QueryState | null>,
  plan: Annotation<Plan | null>,
  outcome: Annotation<GuardOutcome | null>,
  summary: Annotation<SummaryVerdict | null>,
  answer: Annotation<string>,
});
const Input = Annotation.Root({ query: Annotation<string> });

const FRESH = { step: null, plan: null, outcome: null, summary: null, answer: "" };

/**
 * Creates a graph for a query under guard: it plans a call, makes it, and replies. The input is `{ query }`. In the
 * output, `outcome` is the result of the call and `answer` is the text for the user. A call that needs approval waits
 * with an interrupt in the node that makes it, so no state that a client writes can count as an approval.
 */
export function createSingleStepGraph(host: Host, options: SingleStepGraphOptions) {
  checkOptions(options);
  const { model, policy, summarize = false, checkpointer, ...rules } = options;
  if (typeof Object(model).invoke !== "function")
    throw invalidOptions("createSingleStepGraph takes a chat model of LangChain as `model`.");
  const guard = createSingleStep(host, rules);
  const ask = async (system: string, text: string, { signal }: LangGraphRunnableConfig) => {
    const prompt: BaseMessageLike[] = [
      ["system", system],
      ["human", text],
    ];
    return (await model.invoke(prompt, signal ? { signal } : {})).text;
  };
  return new StateGraph({ state: State, input: Input })
    .addNode("plan_call", async ({ query: text }, config) => {
      const refused = await checkQuery(text, policy);
      if (refused) return { ...FRESH, outcome: toBlocked(refused) };
      await host.refresh().catch(() => {}); // A failed refresh is a problem that the host reports.
      const step = await guard.startQuery().toState();
      return { ...FRESH, step, ...readPlan(await ask(plannerPrompt(guard.tools), text, config)) };
    })
    .addNode("make_call", async ({ step, plan }, config) => {
      const options = { signal: config.signal, ...readStated(config) };
      // The query checks the allowlist, the arguments and the host's rules. It asks `authorize` once.
      const query = guard.startQuery(step ?? shutQuery());
      const asked = await query.run(plan as Plan, options);
      const end = await finishCall(asked, { guard, query, options, config });
      return { outcome: end.outcome, step: await end.query.toState() };
    })
    .addNode("reply", async ({ outcome }, config) => {
      const write = (value: unknown) => ask(summaryPrompt(), JSON.stringify(value), config);
      const summary = (summarize && outcome && (await summarizeOutcome(outcome, write))) || null;
      return { summary, answer: toAnswer(outcome, summary) };
    })
    .addEdge(START, "plan_call")
    .addConditionalEdges("plan_call", ({ outcome }) => (outcome ? "reply" : "make_call"), [
      "make_call",
      "reply",
    ])
    .addEdge("make_call", "reply")
    .addEdge("reply", END)
    .compile(checkpointer ? { checkpointer } : {});
}

function readPlan(text: string): { plan: Plan } | { outcome: GuardOutcome } {
  try {
    return { plan: parsePlan(text) };
  } catch (cause) {
    if (!ToolrailError.isInstance(cause)) throw cause;
    return { outcome: toBlocked(cause) };
  }
}

/** Returns the grounded claims with their evidence or, without claims, the tool's own text. */
function toAnswer(outcome: GuardOutcome | null, summary: SummaryVerdict | null): string {
  const { bullets = [], risks = [], recommendations = [] } = summary?.summary ?? {};
  const claims = [...bullets, ...risks, ...recommendations];
  if (claims.length === 0) return outcome ? outcomeText(outcome) : "";
  return claims.map(({ claim, evidence }) => `- ${claim} ("${evidence}")`).join("\n");
}
