import type { Harness, PipeInput, PipeOutcome } from "@toolrail/conformance";
import type { Decision } from "@toolrail/core";
import { isJsonObject, type JsonObject } from "@toolrail/core/json";
import type { PipeResult } from "@toolrail/core/pipe";
import type { ModelMessage } from "ai";
import { withChaining } from "../../src/index.ts";
import { chainedPipes } from "../../src/pipe/index.ts";
import { type Major, type ScriptedModel, scriptModel } from "../majors.ts";
import { answerTo, approvalsIn, changesIn, toWord } from "../reading.ts";
import { APART, REJECTS } from "./apart.ts";
import { readToolResults } from "./reading.ts";

/** `mcp_pipe` under `withChaining`, each approval answered in a run of its own. */
export function createChainedPipeHarness(major: Major): Harness {
  return {
    name: `${major.name}: withChaining, pipe`,
    exempt: { chain: APART, guard: APART, "pipe/abort-kept": REJECTS },
    async pipe(input) {
      const spec = isJsonObject(input.spec) ? input.spec : { spec: input.spec };
      const script = scriptModel(major, [{ tool: "mcp_pipe", input: spec }], ["done"]);
      const situation = { major, input, script, results: [] };
      return run(situation, [{ role: "user", content: "go" }]);
    },
  };
}

interface Situation {
  readonly major: Major;
  readonly input: PipeInput;
  readonly script: ScriptedModel;
  readonly results: PipeResult[];
  /** What the person has said who was asked. */
  readonly decision?: Decision;
}

async function run(situation: Situation, messages: ModelMessage[]): Promise<PipeOutcome> {
  const { major, input, script, results } = situation;
  const { host, signal, conversation, follow } = input;
  const pipe = chainedPipes({
    follow,
    onResult: ({ result }: { result: PipeResult }) => void results.push(result),
  });
  const settings = withChaining(host, {
    model: script.model,
    messages,
    chaining: { conversation, pipe, ...changesIn(situation.decision) },
    ...(signal && { abortSignal: signal }),
  });
  const answer = await major.sdk.generateText(settings as never);
  const added = answer.responseMessages ?? answer.response.messages;
  if (approvalsIn(added).length > 0) {
    const resume = (decision: Decision) =>
      run({ ...situation, decision }, [...messages, ...added, answerTo(added, toWord(decision))]);
    return { result: {}, resume };
  }
  const [result] = results;
  if (!result) throw new Error("The pipe came to no result.");
  const { modelRead } = readToolResults(script.prompts.at(-1));
  return { result: { ...result } as JsonObject, modelRead };
}
