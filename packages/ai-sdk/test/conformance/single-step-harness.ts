import { type Harness, modelNameOf } from "@toolrail/conformance";
import type { Decision } from "@toolrail/core";
import type { GuardOutcome } from "@toolrail/core/guard";
import type { ModelMessage } from "ai";
import { withSingleStep } from "../../src/guard/index.ts";
import { type Major, scriptModel } from "../majors.ts";
import { answerTo, approvalsIn, changesIn, toWord } from "../reading.ts";
import { APART } from "./apart.ts";

/** `withSingleStep` under `generateText`, with a model that attempts every turn and then says nothing. */
export function createSingleStepHarness(major: Major): Harness {
  return {
    name: `${major.name}: withSingleStep`,
    exempt: {
      chain: APART,
      pipe: APART,
      "guard/refusal-told":
        "The SDK itself refuses a tool that is not offered, and asks the model again.",
    },
    async guard({ host, allow, turns, decision, conversation }) {
      const outcomes: GuardOutcome[] = [];
      const onOutcome = (outcome: GuardOutcome) => void outcomes.push(outcome);
      const calls = turns.map((turn) =>
        turn.map(({ tool, arguments: input = {} }) => ({ tool: modelNameOf(host, tool), input })),
      );
      const script = scriptModel(major, ...calls, [""]);
      const run = (messages: ModelMessage[], said?: Decision) => {
        const own = { allow: allow as never, onOutcome, conversation };
        const singleStep = { ...own, ...changesIn(said) };
        const settings = withSingleStep(host, { model: script.model, singleStep });
        return major.sdk.generateText({ ...settings, messages });
      };
      const question: ModelMessage[] = [{ role: "user", content: "go" }];
      let result = await run(question);
      const said = result.response.messages;
      if (approvalsIn(said).length > 0 && decision !== undefined) {
        const answer = answerTo(said, toWord(decision));
        result = await run([...question, ...said, answer], decision);
      }
      const read = script.prompts.map((prompt) => JSON.stringify(prompt)).join("\n");
      return { outcomes, modelRead: read, reply: result.text };
    },
  };
}
