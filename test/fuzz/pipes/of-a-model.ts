import type { BaseMessage } from "@langchain/core/messages";
import { createPipeTool as createSdkTool } from "@toolrail/ai-sdk/pipe";
import type { PipeResult, PipeToolCall } from "@toolrail/core/pipe";
import { createPipeTool } from "@toolrail/langgraph/pipe";
import { createAgent } from "langchain";
import { type Major, scriptModel } from "../../../packages/ai-sdk/test/majors.ts";
import { toolOutputs } from "../../../packages/ai-sdk/test/reading.ts";
import { calling } from "../../../packages/langgraph/test/scripted-model.ts";
import type { Aborting } from "../abort.ts";
import { type GraphRun, runToEnd } from "../graph/run-to-end.ts";
import { scriptModel as scriptChat } from "../graph/script-model.ts";
import { shownIn } from "../graph/shown-messages.ts";
import { createLedger } from "../world/ledger.ts";
import { openWorld } from "../world/open-world.ts";
import type { PipeCase, PipeEnd } from "./pipe-case.ts";

/** `mcp_pipe` under `generateText`, where no step can wait for a person. */
export async function runInTheSdk(
  { world, spec, limits }: PipeCase,
  major: Major,
  { ledger = createLedger(), signal, onCall }: Partial<Aborting> = {},
) {
  const told: PipeResult[] = [];
  const host = await openWorld(world, { ledger, ...(onCall && { onCall }) });
  const script = scriptModel(major, [{ tool: "mcp_pipe", input: spec }], ["done"]);
  await major.sdk.generateText({
    model: script.model,
    tools: createSdkTool(host, {
      limits,
      onResult: ({ result }) => void told.push(result),
    }),
    prompt: "go",
    stopWhen: major.sdk.stepCountIs(3),
    ...(signal && { abortSignal: signal }),
  });
  const [output] = toolOutputs(script.prompts.at(-1)) as { readonly value: string }[];
  return toEnd({ ledger, told, reply: output?.value, prompts: JSON.stringify(script.prompts) });
}

/** `mcp_pipe` in an agent with a checkpointer, where a step waits for a person. */
export async function runInAnAgent({ world, spec, limits }: PipeCase, run: GraphRun) {
  const told: PipeResult[] = [];
  const read: BaseMessage[][] = [];
  const ledger = createLedger();
  await runToEnd({
    ...run,
    ledger,
    input: { messages: [{ role: "user", content: "go" }] },
    async build(life) {
      const host = await openWorld(world, { ledger, life });
      const model = scriptChat([calling("mcp_pipe", { ...spec })], read);
      const onResult = (call: PipeToolCall) => void told.push(call.result);
      const tools = createPipeTool(host, { limits, onResult });
      return { host, graph: createAgent({ model, tools, checkpointer: life.saver }) };
    },
  });
  // A process that was lost may have told of the pipe before.
  const last = ledger.crashes > 0 ? told.slice(-1) : told;
  const reply = read.at(-1)?.at(-1)?.text;
  return toEnd({ ledger, told: last, reply, prompts: read.map(shownIn).join() });
}

function toEnd({
  told: [result, ...more],
  ...end
}: Pick<PipeEnd, "ledger" | "prompts"> & {
  readonly told: readonly PipeResult[];
  readonly reply: string | undefined;
}): PipeEnd {
  if (more.length > 0) end.ledger.offences.push("The application was told of a pipe twice.");
  const { reply = "", ...rest } = end;
  return result?.problems
    ? { ...rest, reply, result: undefined, refusal: result.error }
    : { ...rest, reply, result };
}
