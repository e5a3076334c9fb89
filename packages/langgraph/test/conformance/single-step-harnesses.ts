import { HumanMessage } from "@langchain/core/messages";
import { MemorySaver } from "@langchain/langgraph";
import {
  type GuardedOutcome,
  type GuardInput,
  type Harness,
  modelNameOf,
} from "@toolrail/conformance";
import type { Host } from "@toolrail/core";
import { createAgent } from "langchain";
import { createSingleStepGraph, outcomeOf, singleStepMiddleware } from "../../src/guard/index.ts";
import { chainMiddleware, createTools } from "../../src/index.ts";
import { toolMessages } from "../graphs.ts";
import { calling, ScriptedModel } from "../scripted-model.ts";
import { APART, toCommand } from "./chain-harnesses.ts";

const toConfig = (conversation = "1") => ({
  configurable: { thread_id: conversation },
  recursionLimit: 60,
});

const GUARDS_ALONE = { chain: APART, pipe: APART };

/** Every way to put LangGraph under the single step; beside the chain middleware in any order. */
export const singleStepHarnesses: readonly Harness[] = [
  {
    name: "langgraph: singleStepMiddleware",
    exempt: GUARDS_ALONE,
    guard: (input) => runAgent("alone", input),
  },
  {
    name: "langgraph: singleStepMiddleware around chainMiddleware",
    exempt: GUARDS_ALONE,
    guard: (input) => runAgent("inside", input),
  },
  {
    name: "langgraph: chainMiddleware around singleStepMiddleware",
    exempt: GUARDS_ALONE,
    guard: (input) => runAgent("outside", input),
  },
  { name: "langgraph: createSingleStepGraph", exempt: GUARDS_ALONE, guard: runGraph },
];

async function runAgent(
  chain: "alone" | "inside" | "outside",
  { host, allow, turns, decision, conversation }: GuardInput,
): Promise<GuardedOutcome> {
  const model = new ScriptedModel(...toScript(host, turns), "");
  const agent = createAgent({
    model,
    tools: createTools(host),
    middleware: [
      ...(chain === "outside" ? [chainMiddleware(host)] : []),
      singleStepMiddleware(host, { allow: allow as never }),
      ...(chain === "inside" ? [chainMiddleware(host)] : []),
    ],
    checkpointer: new MemorySaver(),
  });
  let output = await agent.invoke({ messages: [new HumanMessage("go")] }, toConfig(conversation));
  if ("__interrupt__" in output && decision !== undefined) {
    output = await agent.invoke(toCommand(decision), toConfig(conversation));
  }
  return {
    outcomes: toolMessages(output.messages).flatMap((message) => outcomeOf(message) ?? []),
    modelRead: textOf(model),
    reply: "__interrupt__" in output ? "" : (output.messages.at(-1)?.text ?? ""),
  };
}

/** A planner plans one call at a time; what it is asked after that it answers with its next calls. */
async function runGraph({
  host,
  allow,
  turns,
  decision,
  conversation,
}: GuardInput): Promise<GuardedOutcome> {
  const plans = turns.flat().map(({ tool, arguments: args = {} }) => {
    return JSON.stringify({ type: "call_tool", tool, arguments: args });
  });
  const model = new ScriptedModel(...plans, "");
  const graph = createSingleStepGraph(host, {
    model,
    allow: allow as never,
    checkpointer: new MemorySaver(),
    summarize: true,
  });
  let output = await graph.invoke({ query: "go" }, toConfig(conversation));
  if ("__interrupt__" in output && decision !== undefined) {
    output = await graph.invoke(toCommand(decision), toConfig(conversation));
  }
  const outcomes = output.outcome ? [output.outcome] : [];
  return { outcomes, modelRead: textOf(model), reply: output.answer };
}

function toScript(host: Host, turns: GuardInput["turns"]) {
  return turns.map((turn, at) =>
    turn.map(({ tool, arguments: args = {} }, index) =>
      calling(modelNameOf(host, tool), { ...args }, `c${at}_${index}`),
    ),
  );
}

/** All that the model read. */
function textOf({ read }: ScriptedModel): string {
  return read
    .flat()
    .map(({ text }) => text)
    .join("\n");
}
