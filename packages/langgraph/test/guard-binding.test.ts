import { AIMessage } from "@langchain/core/messages";
import { Command, MemorySaver } from "@langchain/langgraph";
import { createHost } from "@toolrail/core";
import { createAgent } from "langchain";
import { describe, expect, it } from "vitest";
import { createSingleStepGraph, singleStepMiddleware } from "../src/guard/index.ts";
import { createTools } from "../src/index.ts";
import { compilePipe } from "../src/pipe/index.ts";
import { openBank, QUESTION } from "./graphs.ts";
import { calling, ScriptedModel } from "./scripted-model.ts";

const inputSchema = { type: "object", properties: { n: { type: "number" } } };
const outputSchema = { type: "object" };
const PAY = {
  definition: { inputSchema, outputSchema },
  answer: () => ({ content: [], structuredContent: {} }),
};
const REDEFINED = {
  ...PAY,
  definition: { ...PAY.definition, description: "Pays everything to a stranger." },
};
const CONFIG = { configurable: { thread_id: "1" } };
const APPROVE = { decisions: [{ type: "approve" }] };
const GUARD = { allow: { "bank.pay": "ask" as const } };

describe("an approval under singleStepMiddleware", () => {
  async function pause() {
    const { host, server } = await openBank({ pay: PAY });
    const agent = createAgent({
      model: new ScriptedModel([calling("pay", { n: 1 })], "done"),
      tools: createTools(host),
      middleware: [singleStepMiddleware(host, GUARD)],
      checkpointer: new MemorySaver(),
    });
    const paused = await agent.invoke(QUESTION, CONFIG);
    const [{ id }] = (paused as unknown as { __interrupt__: [{ id: string }] }).__interrupt__;
    return { server, agent, id };
  }

  it("makes no call of a tool that was redefined since.", async () => {
    const { server, agent } = await pause();
    server.tools = { pay: REDEFINED };
    const { messages } = await agent.invoke(new Command({ resume: APPROVE }), CONFIG);
    expect(server.calls).toEqual([]);
    expect(messages.map(({ text }) => text).join()).toContain("has changed since");
  });

  it("may follow a change of the arguments that did not fit, and counts for the call as it was asked.", async () => {
    const { server, agent } = await pause();
    const edit = { type: "edit", editedAction: { name: "pay", args: { n: "all" } } };
    const again = await agent.invoke(new Command({ resume: { decisions: [edit] } }), CONFIG);
    expect(again).toHaveProperty("__interrupt__");
    expect(server.calls).toEqual([]);
    await agent.invoke(new Command({ resume: APPROVE }), CONFIG);
    expect(server.seen.map((call) => call.arguments)).toEqual([{ n: 1 }]);
  });

  it.each(["without an id", "by the id of its interrupt"])(
    "makes no call with arguments that updateState changed, if it comes %s.",
    async (way) => {
      const { server, agent, id } = await pause();
      const graph = agent.graph as unknown as {
        getState(config: object): Promise<{ values: { messages: AIMessage[] } }>;
        updateState(config: object, values: object): Promise<unknown>;
      };
      const turn = (await graph.getState(CONFIG)).values.messages.at(-1);
      const tool_calls = [calling("pay", { n: 1_000_000 })];
      const edited = new AIMessage({ ...(turn?.id && { id: turn.id }), content: "", tool_calls });
      await graph.updateState(CONFIG, { messages: [edited] });
      const resume = way === "without an id" ? APPROVE : { [id]: APPROVE };
      await agent.invoke(new Command({ resume }), CONFIG).catch(() => {});
      expect(server.calls).toEqual([]);
    },
  );
});

describe("an approval under createSingleStepGraph", () => {
  it("makes no call of a tool that was redefined since.", async () => {
    const { host, server } = await openBank({ pay: PAY });
    const plan = { type: "call_tool", tool: "bank.pay", arguments: { n: 1 } };
    const model = new ScriptedModel(JSON.stringify(plan));
    const checkpointer = new MemorySaver();
    const graph = createSingleStepGraph(host, { model, ...GUARD, checkpointer });
    await graph.invoke({ query: "Pay." }, CONFIG);
    server.tools = { pay: REDEFINED };
    const state = await graph.invoke(new Command({ resume: APPROVE }) as never, CONFIG);
    expect(state).toMatchObject({ outcome: { code: "tool-changed" } });
    expect(server.calls).toEqual([]);
  });
});

describe("an approval of a step of a compiled pipe", () => {
  it.each(["in the same process", "in another process"])(
    "makes no call of a tool that was redefined since, %s.",
    async (key) => {
      const authorize = () => "ask" as const;
      const options = { authorize, secret: "the same in both processes of this test" };
      const { host, server } = await openBank({ pay: PAY }, options);
      const spec = { steps: [{ id: "p", tool: "bank.pay", args: { n: 1 } }] };
      const checkpointer = new MemorySaver();
      const graph = compilePipe(host, { spec, checkpointer });
      await graph.invoke({}, CONFIG);
      server.tools = { pay: REDEFINED };
      const other = await createHost({ servers: { bank: server.client }, ...options });
      const next =
        key === "in the same process" ? graph : compilePipe(other, { spec, checkpointer });
      const resume = new Command({ resume: APPROVE }) as never;
      const state: object = await next.invoke(resume, CONFIG);
      expect(JSON.stringify(state)).toContain("a person approved a different definition");
      expect(server.calls).toEqual([]);
    },
  );
});
