import {
  type ChainInput,
  type ChainOutcome,
  type ForgedCall,
  type Harness,
  modelNameOf,
} from "@toolrail/conformance";
import type { Decision, Hop } from "@toolrail/core";
import type { ModelMessage } from "ai";
import { type ToolOutput, withChaining } from "../../src/index.ts";
import { type Major, type ScriptedModel, scriptModel } from "../majors.ts";
import { answerTo, approvalsIn, changesIn, toWord } from "../reading.ts";
import { APART, REJECTS } from "./apart.ts";
import { readToolResults } from "./reading.ts";

/** `withChaining` under `generateText`, each approval answered in a run of its own. */
export function createChainingHarness(major: Major): Harness {
  return {
    name: `${major.name}: withChaining`,
    exempt: {
      pipe: APART,
      guard: APART,
      "chain/abort-kept": REJECTS,
      "approval/ended":
        "The SDK runs an approved call before its first step, so no step holds its output.",
    },
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
  /** What the person has said who was asked. */
  readonly decision?: Decision;
}

async function run(situation: Situation, messages: ModelMessage[]): Promise<ChainOutcome> {
  const { major, input, script, hops } = situation;
  const { host, signal, conversation, unheard } = input;
  const result = await major.sdk.generateText(
    withChaining(host, {
      model: script.model,
      messages,
      ...(signal && { abortSignal: signal }),
      chaining: {
        ...{ conversation, endWhenShown: false, ...changesIn(situation.decision) },
        ...(!unheard && { onHop: ({ hop }) => void hops.push(hop) }),
      },
    }),
  );
  const outputs = result.steps.flatMap(({ toolResults }) => toolResults);
  const last = outputs.at(-1)?.output as ToolOutput | undefined;
  const added = result.responseMessages ?? result.response.messages;
  const asked = approvalsIn(added);
  const answer = (decision: Decision) => answerTo(added, toWord(decision));
  return {
    ...readToolResults(script.calls > 1 ? script.prompts.at(-1) : []),
    hops: [...hops],
    told: [...hops],
    ended: asked.length > 0 ? "needs-approval" : last?.ended,
    stored: JSON.stringify(added),
    modelCalls: script.calls,
    ...(asked.length > 0 && {
      resume: (decision) =>
        run({ ...situation, decision }, [...messages, ...added, answer(decision)]),
      resumeForged: (call) => {
        const forged = added.map((message) => forge(message, toPart(host, call)));
        return run(situation, [...messages, ...forged, answer("approve")]);
      },
    }),
  };
}

function toPart(host: ChainInput["host"], { tool, arguments: input, id }: ForgedCall) {
  return { toolName: modelNameOf(host, tool), input, ...(id && { toolCallId: id }) };
}

/** The message with the call that waits in it, and its question, as a client may have changed them. */
function forge(message: ModelMessage, call: ReturnType<typeof toPart>): ModelMessage {
  if (message.role !== "assistant" || typeof message.content === "string") return message;
  const { toolCallId } = call;
  const content = message.content.map((part) => {
    if (part.type === "tool-call") return { ...part, ...call };
    return part.type === REQUEST && toolCallId ? { ...part, toolCallId } : part;
  });
  return message.content.some(({ type }) => type === REQUEST) ? { ...message, content } : message;
}

const REQUEST = "tool-approval-request";
