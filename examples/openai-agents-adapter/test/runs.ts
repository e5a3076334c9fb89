import { Agent, run, setTracingDisabled } from "@openai/agents";
import { assistantMessage, functionCall, ScriptedModel } from "@openai/agents/testing";
import type { Host } from "@toolrail/core";
import type { JsonObject } from "@toolrail/core/json";
import { createTools, type ToolsOptions } from "../src/index.ts";

export interface ScriptedCall {
  readonly tool: string;
  readonly arguments?: JsonObject;
}

/** A model that makes the calls of each turn, as `call-1` and so on, and then says "done". */
export function scriptModel(turns: readonly (readonly ScriptedCall[])[]): ScriptedModel {
  let made = 0;
  const toCall = ({ tool, arguments: args = {} }: ScriptedCall) => {
    made += 1;
    return functionCall(tool, args, { callId: `call-${made}` });
  };
  return new ScriptedModel([
    ...turns.map((calls) => calls.map(toCall)),
    [assistantMessage("done")],
  ]);
}

/** An agent with the tools of the host and such a model. */
export function scriptAgent(
  host: Host,
  turns: readonly (readonly ScriptedCall[])[],
  options?: ToolsOptions,
): { agent: Agent; model: ScriptedModel } {
  const model = scriptModel(turns);
  return { model, agent: new Agent({ name: "clerk", model, tools: createTools(host, options) }) };
}

/** Runs such an agent for one call, and gives what its model read of the result. */
export async function runOnce(
  host: Host,
  call: ScriptedCall,
  options?: ToolsOptions,
): Promise<unknown> {
  const { agent, model } = scriptAgent(host, [[call]], options);
  await run(agent, "go");
  return readOutputs(model)[0];
}

/** What the model read of tool results in its last turn, in order. */
export function readOutputs(model: ScriptedModel): unknown[] {
  const input = model.lastCall?.request.input ?? [];
  if (typeof input === "string") return [];
  return input.flatMap((item) => {
    if (item.type !== "function_call_result") return [];
    const { output } = item;
    return [typeof output === "object" && "text" in output ? output.text : output];
  });
}

/** A call that a run asks a person about. */
export interface AskedCall {
  readonly tool: string;
  readonly arguments: JsonObject;
}

/** Runs an agent to its end, where a person says yes or no to each call that it asks about. */
export async function runWithPerson(
  agent: Agent,
  isApproved: (call: AskedCall) => boolean,
): Promise<void> {
  setTracingDisabled(true);
  let { state, interruptions } = await run(agent, "go");
  while (interruptions.length > 0) {
    for (const item of interruptions) {
      const call = { tool: item.name ?? "", arguments: JSON.parse(item.arguments ?? "{}") };
      if (isApproved(call)) state.approve(item);
      else state.reject(item);
    }
    ({ state, interruptions } = await run(agent, state));
  }
}
