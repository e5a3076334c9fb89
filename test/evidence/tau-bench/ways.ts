import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { createPipeTool, createTools } from "@toolrail/ai-sdk";
import type { Hop } from "@toolrail/core";
import { draftPipe, type PipeSpec } from "@toolrail/core/pipe";
import type { Decision, OfflineModel } from "@toolrail/example-offline-model";
import { generateText, isStepCount, type ToolSet } from "ai";
import type { Environment, Task } from "./open-environment.ts";

/** The ways in which the calls of a task are made. */
export const WAYS = ["relayed", "by reference", "pipe", "pipe, by data"] as const;
export type Way = (typeof WAYS)[number];

/** What one task costs in one way. */
export interface Cost {
  readonly modelCalls: number;
  readonly tokensRead: number;
  readonly tokensWritten: number;
  /** Times that somebody waits for the server, one after the other. */
  readonly rounds: number;
}

/** What a run of the benchmark's own calls left: their record, and the data at the end. */
export interface Truth {
  readonly task: Task;
  readonly hops: readonly Hop[];
  readonly state: string;
}

/** Makes the calls of a task one by one, with no model. */
export async function record(environment: Environment, task: Task): Promise<Truth> {
  await environment.reset();
  const host = await environment.openHost();
  const hops: Hop[] = [];
  for (const call of task.calls) hops.push(await host.call(call));
  return { task, hops, state: await environment.state() };
}

export interface Replay {
  readonly environment: Environment;
  readonly model: OfflineModel;
  /** What the model says, by the number of results that it has read. */
  say(script: (read: number) => Decision): void;
}

/** Makes the calls of a task in one way, with the model over HTTP. Rejects where the data do not end as they should. */
export async function replay(way: Way, truth: Truth, parts: Replay): Promise<Cost> {
  const { environment, model, say } = parts;
  const { task, hops, state } = truth;
  await environment.reset();
  const host = await environment.openHost(way === "by reference" ? { references: true } : {});
  let tools: ToolSet;
  if (way === "pipe" || way === "pipe, by data") {
    const { spec } = draftPipe(hops, { tools: host.tools });
    // The benchmark's own calls hold some that fail.
    const hasFailed = hops.some(({ result }) => result.isError);
    const ordered = {
      ...(way === "pipe" ? listed(spec) : spec),
      ...(hasFailed && { continue_on_error: true }),
    };
    say((read) => {
      return read === 0
        ? { toolCalls: [{ name: "mcp_pipe", arguments: { ...ordered } }] }
        : { text: "Done." };
    });
    tools = createPipeTool(host);
  } else {
    say((read) => {
      const call = task.calls[read];
      return call
        ? { toolCalls: [{ name: call.tool, arguments: call.arguments }] }
        : { text: "Done." };
    });
    tools = createTools(host, { scope: "task" });
  }
  const calls = model.calls.length;
  environment.rounds.take();
  const provider = createOpenAICompatible({ name: "offline", baseURL: model.url });
  await generateText({
    model: provider.chatModel("offline-rules"),
    system: environment.system,
    prompt: task.instruction,
    tools,
    stopWhen: isStepCount(60),
  });
  if ((await environment.state()) !== state) {
    throw new Error(`${way}: the data did not end as the benchmark's own calls leave them.`);
  }
  const made = model.calls.slice(calls);
  return {
    modelCalls: made.length,
    tokensRead: made.reduce((sum, { promptTokens }) => sum + promptTokens, 0),
    tokensWritten: made.reduce((sum, { completionTokens }) => sum + completionTokens, 0),
    rounds: environment.rounds.take(),
  };
}

/** The same steps, one after the other. */
function listed({ steps, vars }: PipeSpec): PipeSpec {
  const plain = steps.map((step) => {
    const { after: _, ...rest } = step as typeof step & { after?: unknown };
    return rest;
  });
  return { ...(vars && { vars }), steps: plain };
}
