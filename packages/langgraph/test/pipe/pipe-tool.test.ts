import { HumanMessage, ToolMessage } from "@langchain/core/messages";
import { Command, MemorySaver } from "@langchain/langgraph";
import { createHost, type HostOptions } from "@toolrail/core";
import type { PipeResult } from "@toolrail/core/pipe";
import { createAgent } from "langchain";
import { describe, expect, it, onTestFinished } from "vitest";
import { createTestServer } from "../../../core/test/servers.ts";
import { createTools } from "../../src/index.ts";
import { createPipeTool } from "../../src/pipe/index.ts";
import { calling, ScriptedModel } from "../scripted-model.ts";

async function openHost(options: Omit<HostOptions, "servers"> = {}) {
  const web = await createTestServer({
    search: {
      answer: () => ({ content: [], structuredContent: { pages: ["x".repeat(20_000), "b"] } }),
    },
    pay: {},
  });
  const host = await createHost({ ...options, servers: { web: web.client } });
  onTestFinished(() => host.close());
  return { host, web };
}

async function ask(spec: Record<string, unknown>) {
  const { host, web } = await openHost();
  const model = new ScriptedModel([calling("mcp_pipe", spec)], "done");
  const agent = createAgent({ model, tools: [...createTools(host), ...createPipeTool(host)] });
  const { messages } = await agent.invoke({ messages: [new HumanMessage("go")] });
  const answer = messages.find((message) => ToolMessage.isInstance(message));
  return { web, model, answer };
}

describe("mcp_pipe in an agent", () => {
  it("The model reads the result, and the application has every step as the artifact.", async () => {
    const { answer } = await ask({
      steps: [{ id: "s", tool: "search" }],
      return: { $ref: "steps.s.structured.pages.1" },
    });
    expect(answer?.text).toBe('{"ok":true,"error":"","result":"b"}');
    expect(answer?.status).toBe("success");
    const artifact = answer?.artifact as PipeResult;
    expect(artifact.steps.s).toMatchObject({ hops: [{ origin: { by: "pipe", author: "model" } }] });
  });

  it("An invalid spec is answered with an error that the model can fix.", async () => {
    const { web, answer } = await ask({ steps: [{ id: "s", tool: "serch" }] });
    expect(answer?.status).toBe("error");
    expect(answer?.text).toMatch(
      /steps\[0\]\.tool: There is no tool .*Known tools: web\.search, web\.pay/,
    );
    expect(web.calls).toEqual([]);
  });

  it("A pipe calls only the tools that are offered.", async () => {
    const { host, web } = await openHost();
    const spec = { steps: [{ id: "p", tool: "pay" }] };
    const tools = createPipeTool(host, { tools: ["web.search"] });
    expect(JSON.stringify(await tools[0]?.invoke(spec))).toContain(
      "tool web.pay is not offered here",
    );
    const model = new ScriptedModel([calling("mcp_pipe", spec)], "done");
    await createAgent({ model, tools }).invoke({ messages: [new HumanMessage("go")] });
    expect(web.calls).toEqual([]);
  });

  it("The model is shown the schema of a spec.", async () => {
    const { model } = await ask({ steps: [] });
    const bound = JSON.stringify(model.bound);
    expect(bound).toContain('"name":"mcp_pipe"');
    expect(bound).toContain('"continue_on_error"');
  });

  it("It waits for a person with an interrupt, and runs no finished step again.", async () => {
    const { web, host } = await openHost({
      authorize: ({ tool }) => (tool.name === "pay" ? "ask" : "allow"),
    });
    const call = {
      steps: [
        { id: "s", tool: "search" },
        { id: "p", tool: "pay" },
      ],
      return: "paid",
    };
    const model = new ScriptedModel([calling("mcp_pipe", call)], "done");
    const tools = createPipeTool(host);
    const agent = createAgent({ model, tools, checkpointer: new MemorySaver() });
    const config = { configurable: { thread_id: "1" } };
    const paused: object = await agent.invoke({ messages: [new HumanMessage("go")] }, config);
    expect(paused).toMatchObject({
      __interrupt__: [{ value: { actionRequests: [{ name: "pay" }] } }],
    });
    expect(web.calls).toEqual(["search"]);
    const resume = { decisions: [{ type: "approve" }] };
    const { messages } = await agent.invoke(new Command({ resume }), config);
    expect(web.calls).toEqual(["search", "pay"]);
    const answer = messages.find((message) => ToolMessage.isInstance(message));
    expect(answer?.text).toBe('{"ok":true,"error":"","result":"paid"}');
  });

  it("It waits for each of two pipes of one turn, and makes every call once.", async () => {
    const { web, host } = await openHost({
      authorize: ({ tool }) => (tool.name === "pay" ? "ask" : "allow"),
    });
    const call = (id: string) => {
      const steps = [
        { id: "s", tool: "search", args: { id } },
        { id: "p", tool: "pay", args: { id } },
      ];
      return calling("mcp_pipe", { steps }, id);
    };
    const model = new ScriptedModel([call("c1"), call("c2")], "done");
    const agent = createAgent({
      model,
      tools: createPipeTool(host),
      checkpointer: new MemorySaver(),
    });
    const config = { configurable: { thread_id: "1" } };
    const question = { messages: [new HumanMessage("go")] };
    const paused = (await agent.invoke(question, config)) as unknown as {
      __interrupt__: { id: string }[];
    };
    expect(web.calls).toEqual(["search", "search"]);
    const resume = Object.fromEntries(
      paused.__interrupt__.map(({ id }) => [id, { decisions: [{ type: "approve" }] }]),
    );
    const { messages } = await agent.invoke(new Command({ resume }), config);
    const answers = messages.filter((message) => ToolMessage.isInstance(message));
    expect(answers.map(({ status }) => status)).toEqual(["success", "success"]);
    // The two run at the same time: which of them pays first is left to chance.
    expect(web.seen.map(({ name, arguments: { id } }) => `${name} ${id}`).toSorted()).toEqual([
      "pay c1",
      "pay c2",
      "search c1",
      "search c2",
    ]);
  });

  it("It is absent if it is switched off.", async () => {
    const { host } = await openHost();
    expect(createPipeTool(host, { enabled: false })).toEqual([]);
  });
});
