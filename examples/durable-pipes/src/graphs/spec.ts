// A graph that takes a spec as its input, for operators who keep their pipes as configuration: it checks the spec,
// and runs it with a checkpoint after each step.
import { END, type LangGraphRunnableConfig, START, StateGraph } from "@langchain/langgraph";
import type { JsonObject } from "@toolrail/core/json";
import { checkPipe } from "@toolrail/core/pipe";
import { compilePipe } from "@toolrail/langgraph/pipe";
import { z } from "zod";
import { getBank } from "./get-bank.ts";

const Input = z.object({ spec: z.unknown(), vars: z.record(z.string(), z.unknown()).optional() });
const Output = z.object({
  ok: z.boolean(),
  error: z.string(),
  result: z.unknown(),
  problems: z.array(z.unknown()).optional(),
});
const State = Input.extend(Output.partial().shape);
type Asked = z.infer<typeof Input>;

/** Says all that is wrong with a spec. No tool is called by it. */
async function check({ spec, vars }: Asked) {
  const { host } = await getBank();
  const verdict = checkPipe(host, { spec, vars: vars as JsonObject });
  if (verdict.ok) return { ok: true, error: "" };
  return { ok: false, error: verdict.error.message, result: null, problems: verdict.problems };
}

/** Runs the pipe as a graph inside this one, whose checkpointer it uses: it pauses, resumes and survives with it. */
async function run({ spec, vars = {} }: Asked, config: LangGraphRunnableConfig) {
  const { host } = await getBank();
  const { ok, error, result } = await compilePipe(host, { spec }).invoke(
    { vars: vars as JsonObject },
    config,
  );
  return { ok, error, result };
}

export const graph = new StateGraph({ state: State, input: Input, output: Output })
  .addNode("check", check)
  .addNode("run", run)
  .addEdge(START, "check")
  .addConditionalEdges("check", ({ ok }) => (ok ? "run" : END), ["run", END])
  .addEdge("run", END)
  .compile();
