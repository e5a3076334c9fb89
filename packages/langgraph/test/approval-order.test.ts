import { BaseCallbackHandler } from "@langchain/core/callbacks/base";
import { Command, MemorySaver } from "@langchain/langgraph";
import { expect, it } from "vitest";
import { type ApprovalRequest, createTools } from "../src/index.ts";
import { buildChainNodeGraph, buildToolNodeGraph } from "./builds.ts";
import { openBank, QUESTION, toolMessages } from "./graphs.ts";
import { calling, ScriptedModel } from "./scripted-model.ts";

/** A handler that LangChain waits for, and that holds up one of the tool calls. */
class HoldUp extends BaseCallbackHandler {
  override readonly name = "hold-up";
  override awaitHandlers = true;
  private readonly held: string;

  constructor(held: string) {
    super();
    this.held = held;
  }

  override async handleToolStart(...parameters: unknown[]): Promise<void> {
    if (parameters.at(-1) !== this.held && parameters[7] !== this.held) return;
    for (let turn = 0; turn < 200; turn++) await Promise.resolve();
  }
}

it.each([
  ["inside", buildToolNodeGraph],
  ["node", buildChainNodeGraph],
])(
  "calls that come in another order after a pause never get each other's answer (%s)",
  async (_, build) => {
    const { host, server } = await openBank({ c: {}, d: {} }, { authorize: () => "ask" });
    const model = new ScriptedModel([calling("c", {}, "c1"), calling("d", {}, "c2")], "done");
    const graph = build({ host, model, tools: createTools(host), checkpointer: new MemorySaver() });
    const configurable = { thread_id: "1" };
    let state = await graph.invoke(QUESTION, { configurable, callbacks: [new HoldUp("c2")] });
    for (let round = 0; round < 4 && "__interrupt__" in state; round++) {
      const interrupts = state.__interrupt__ as { id: string; value: ApprovalRequest }[];
      const answers = interrupts.map(({ id, value }) => {
        const type = value.actionRequests[0]?.name === "c" ? "approve" : "reject";
        return [id, { decisions: [{ type }] }];
      });
      const resume = new Command({ resume: Object.fromEntries(answers) });
      state = await graph.invoke(resume as never, { configurable, callbacks: [new HoldUp("c1")] });
    }
    expect(server.calls).toEqual(["c"]);
    const results = toolMessages(state.messages);
    expect(results.map(({ name, status }) => [name, status])).toEqual([
      ["c", "success"],
      ["d", "error"],
    ]);
  },
);
