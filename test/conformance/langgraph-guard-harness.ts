import { HumanMessage, ToolMessage } from "@langchain/core/messages";
import { Command, MemorySaver } from "@langchain/langgraph";
import type { ApprovalDecision, Host } from "@toolrail/core";
import {
  chainMiddleware,
  createSingleStepGraph,
  createTools,
  type GuardArtifact,
  singleStepMiddleware,
} from "@toolrail/langgraph";
import { createAgent } from "langchain";
import { calling, ScriptedModel } from "../../packages/langgraph/test/scripted-model.ts";
import { modelNameOf } from "./ai-sdk-reading.ts";
import type { GuardedOutcome, GuardInput, Harness } from "./harness.ts";

const CONFIG = { configurable: { thread_id: "1" } };

/** `singleStepMiddleware` in `createAgent`, alone or around or inside the chain middleware. */
export function createAgentGuardHarness(chain: "alone" | "inside" | "outside"): Harness {
  return {
    name: `langgraph: singleStepMiddleware, ${chain === "alone" ? chain : `chain ${chain}`}`,
    async guard({ host, allow, turns, decision }) {
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
      const config = { ...CONFIG, recursionLimit: 60 };
      let output = await agent.invoke({ messages: [new HumanMessage("go")] }, config);
      if ("__interrupt__" in output && decision !== undefined) {
        output = await agent.invoke(toCommand(decision), config);
      }
      const answers = output.messages.filter((message) => ToolMessage.isInstance(message));
      return {
        outcomes: answers.map(({ artifact }) => (artifact as GuardArtifact).outcome),
        modelRead: model.read
          .flat()
          .map(({ text }) => text)
          .join("\n"),
        reply: "__interrupt__" in output ? "" : (output.messages.at(-1)?.text ?? ""),
      };
    },
  };
}

/** `createSingleStepGraph`, whose planner plans the first call; it has no way to ask for a second. */
export async function runGraph({
  host,
  allow,
  turns,
  decision,
}: GuardInput): Promise<GuardedOutcome> {
  const [first] = turns[0] ?? [];
  const plan = { type: "call_tool", tool: first?.tool, arguments: first?.arguments ?? {} };
  const model = new ScriptedModel(JSON.stringify(plan), "{}");
  const checkpointer = new MemorySaver();
  const options = { model, host, allow: allow as never, checkpointer, summarize: true };
  const graph = createSingleStepGraph(options);
  let output = await graph.invoke({ query: "go" }, CONFIG);
  if ("__interrupt__" in output && decision !== undefined) {
    output = await graph.invoke(toCommand(decision), CONFIG);
  }
  return {
    outcomes: output.outcome ? [output.outcome] : [],
    modelRead: model.read
      .flat()
      .map(({ text }) => text)
      .join("\n"),
    reply: output.answer,
  };
}

function toScript(host: Host, turns: GuardInput["turns"]) {
  return turns.map((turn, at) =>
    turn.map(({ tool, arguments: args = {} }, index) =>
      calling(modelNameOf(host, tool), { ...args }, `c${at}_${index}`),
    ),
  );
}

function toCommand(decision: ApprovalDecision): Command<unknown, Record<string, unknown>, never> {
  const answer =
    decision === "approve"
      ? ({ type: "approve" } as const)
      : ({ type: "reject", message: decision.deny } as const);
  return new Command({ resume: { decisions: [answer] } });
}
