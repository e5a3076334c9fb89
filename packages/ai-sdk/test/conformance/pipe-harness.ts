import type { Harness, PipeInput, PipeOutcome } from "@toolrail/conformance";
import { isJsonObject, type JsonObject } from "@toolrail/core/json";
import type { PipeResult } from "@toolrail/core/pipe";
import { createPipeTool } from "../../src/pipe/index.ts";
import { type Major, scriptModel } from "../majors.ts";
import { APART, REJECTS } from "./apart.ts";
import { readToolResults } from "./reading.ts";

const NO_WAIT = "With this tool the application goes on by itself, by `resumePipe`.";

/** `mcp_pipe` under `generateText`, called by a model. */
export function createPipeHarness(major: Major): Harness {
  return {
    name: `${major.name}: createPipeTool`,
    exempt: {
      chain: APART,
      guard: APART,
      "pipe/abort-kept": REJECTS,
      "pipe/waits": NO_WAIT,
      "pipe/goes-on": NO_WAIT,
      "pipe/changes": NO_WAIT,
      "pipe/changes-read": NO_WAIT,
      "pipe/waits-again": NO_WAIT,
      "pipe/wait-denied": NO_WAIT,
    },
    async pipe({ host, spec, signal, conversation }) {
      const results: PipeResult[] = [];
      const tools = createPipeTool(host, {
        conversation,
        onResult: ({ result }) => void results.push(result),
      });
      const script = scriptModel(major, [{ tool: "mcp_pipe", input: toInput(spec) }], ["done"]);
      const { sdk } = major;
      await sdk.generateText({
        model: script.model,
        tools,
        prompt: "go",
        stopWhen: sdk.stepCountIs(3),
        ...(signal && { abortSignal: signal }),
      });
      return toOutcome(results, readToolResults(script.prompts.at(-1)).modelRead);
    },
  };
}

function toOutcome(
  [result]: readonly PipeResult[],
  modelRead: PipeOutcome["modelRead"] = [],
): PipeOutcome {
  if (!result) throw new Error("The pipe came to no result.");
  return { result: { ...result } as JsonObject, modelRead };
}

/** A tool call of a model is an object: what is none goes under `spec`. */
function toInput(spec: PipeInput["spec"]): JsonObject {
  return isJsonObject(spec) ? spec : { spec };
}
