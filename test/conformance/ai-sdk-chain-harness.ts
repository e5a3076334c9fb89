import { type ToolOutput, withChaining } from "@toolrail/ai-sdk";
import type { ApprovalDecision, Hop } from "@toolrail/core";
import type { ModelMessage } from "ai";
import { type Major, type ScriptedModel, scriptModel } from "../../packages/ai-sdk/test/majors.ts";
import { approvalsIn } from "../../packages/ai-sdk/test/reading.ts";
import { modelNameOf, readToolResults } from "./ai-sdk-reading.ts";
import type { ChainInput, ChainOutcome, Harness } from "./harness.ts";

/** `withChaining` under `generateText`, each approval answered in a run of its own. */
export function createChainHarness(major: Major): Harness {
  return {
    name: `${major.name}: withChaining`,
    async chain(input) {
      const { host, tool, arguments: args = {} } = input;
      const call = { tool: modelNameOf(host, tool), input: args };
      const script = scriptModel(major, [call], ["done"]);
      return run({ major, input, script, hops: [] }, [{ role: "user", content: "go" }]);
    },
  };
}

interface Situation {
  readonly major: Major;
  readonly input: ChainInput;
  readonly script: ScriptedModel;
  readonly hops: Hop[];
}

async function run(situation: Situation, messages: ModelMessage[]): Promise<ChainOutcome> {
  const { major, input, script, hops } = situation;
  const { host, signal } = input;
  const result = await major.sdk.generateText(
    withChaining(host, {
      model: script.model,
      messages,
      ...(signal && { abortSignal: signal }),
      chaining: { onHop: ({ hop }) => void hops.push(hop), endWhenShown: false },
    }),
  );
  const outputs = result.steps.flatMap(({ toolResults }) => toolResults);
  const last = outputs.at(-1)?.output as ToolOutput | undefined;
  const added = result.responseMessages ?? result.response.messages;
  const asked = approvalsIn(added);
  const ended = asked.length > 0 ? ("needs-approval" as const) : last?.ended;
  return {
    ...readToolResults(script.calls > 1 ? script.prompts.at(-1) : []),
    hops: [...hops],
    ...(ended && { ended }),
    modelCalls: script.calls,
    ...(asked.length > 0 && {
      resume: (decision) => {
        const answers = asked.map((approvalId) => toAnswer(approvalId, decision));
        return run(situation, [...messages, ...added, { role: "tool", content: answers }]);
      },
    }),
  };
}

function toAnswer(approvalId: string, decision: ApprovalDecision) {
  const type = "tool-approval-response" as const;
  if (decision === "approve") return { type, approvalId, approved: true };
  return { type, approvalId, approved: false, reason: decision.deny };
}
