import { Command } from "@langchain/langgraph";
import type { ApprovalRequest } from "../src/index.ts";

/** As much of a graph as it takes to run it to its end. */
interface Runnable {
  invoke(input: never, config: object): Promise<object>;
  getState(config: never): Promise<{ readonly config: { readonly configurable?: object } }>;
}

/** What a run begins with, and a person's word on each call that waits. */
interface RunParts {
  readonly config: object;
  readonly input: object;
  isApproved(args: Record<string, unknown>): boolean;
}

/** Runs to the end as an application does: from the start or from where it stood, with a person's answers. */
export async function runToEnd(
  graph: Runnable,
  { config, input, isApproved }: RunParts,
): Promise<object> {
  const { configurable = {} } = (await graph.getState(config as never)).config;
  const isBegun = "checkpoint_id" in configurable && configurable.checkpoint_id !== undefined;
  let state = await graph.invoke((isBegun ? null : input) as never, config);
  while ("__interrupt__" in state) {
    const waiting = state.__interrupt__ as { id: string; value: ApprovalRequest }[];
    const answers = waiting.map(({ id, value: { actionRequests } }) => {
      const type = isApproved(actionRequests[0]?.args ?? {}) ? "approve" : "reject";
      return [id, { decisions: [{ type, message: "no" }] }];
    });
    const resume = Object.fromEntries(answers);
    state = await graph.invoke(new Command({ resume }) as never, config);
  }
  return state;
}
