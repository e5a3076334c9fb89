import { Command, MemorySaver } from "@langchain/langgraph";
import { expect, it } from "vitest";
import { asking, type TestTool } from "../../core/test/servers.ts";
import { createTools } from "../src/index.ts";
import { compilePipe, createPipeTool } from "../src/pipe/index.ts";
import { buildChainAgent, buildChainNodeGraph, buildToolNodeGraph, kinds } from "./builds.ts";
import { openBank, QUESTION } from "./graphs.ts";
import { calling, ScriptedModel } from "./scripted-model.ts";

const CHAIN = { pay: { answer: () => asking("mail") }, mail: {} };
const APPROVE = new Command({ resume: { decisions: [{ type: "approve" }] } });
const REJECT = new Command({ resume: { decisions: [{ type: "reject", message: "too much" }] } });
const CONFIG = { configurable: { thread_id: "1" } };

type Parts = Parameters<typeof buildToolNodeGraph>[0] & Parameters<typeof buildChainAgent>[0];
type Graph = Pick<ReturnType<typeof buildToolNodeGraph>, "invoke" | "getState">;

const SPEC = { steps: [{ id: "s", tool: "pay" }] };
const graphs: [string, (parts: Parts) => unknown, input?: object][] = [
  ["createAgent", (parts) => kinds[0].build(parts).graph],
  ["a ToolNode", (parts) => buildToolNodeGraph(parts)],
  ["createAgent with chainMiddleware", (parts) => buildChainAgent(parts).graph],
  ["a ToolNode with chainNode", (parts) => buildChainNodeGraph(parts)],
  [
    "a compiled pipe",
    ({ host, checkpointer }) =>
      compilePipe(host, { spec: SPEC, ...(checkpointer && { checkpointer }) }),
    { vars: {} },
  ],
  [
    "mcp_pipe",
    ({ host, checkpointer }) => {
      const model = new ScriptedModel([calling("mcp_pipe", SPEC)], "done");
      const tools = createPipeTool(host);
      return buildToolNodeGraph({ model, tools, ...(checkpointer && { checkpointer }) });
    },
  ],
];

const ASKS: Parameters<typeof openBank>[1] = {
  authorize: ({ tool }) => (tool.name === "pay" ? "ask" : "allow"),
};

async function pause(
  build: (typeof graphs)[number][1],
  input: object = QUESTION,
  {
    tools = CHAIN,
    options = ASKS,
  }: { tools?: Record<string, TestTool>; options?: typeof ASKS } = {},
) {
  const { host, server } = await openBank(tools, options);
  const model = new ScriptedModel([calling("pay")], "done");
  const graph = build({
    host,
    model,
    tools: createTools(host),
    checkpointer: new MemorySaver(),
  }) as Graph;
  expect(await graph.invoke(input as never, CONFIG)).toHaveProperty("__interrupt__");
  expect(server.calls).toEqual([]);
  return { graph, server };
}

it.each(graphs)(
  "Two resumes at once make one call of what was approved, and of what follows from it (%s).",
  async (_, build, input) => {
    const { graph, server } = await pause(build, input);
    await Promise.all([1, 2].map(() => graph.invoke(APPROVE as never, CONFIG)));
    expect(server.calls).toContain("pay");
    expect(server.calls).toEqual([...new Set(server.calls)]);
  },
);

it.each(graphs)(
  "A thread that is resumed twice from the same pause makes no second call (%s).",
  async (_, build, input) => {
    const { graph, server } = await pause(build, input);
    const { config } = await graph.getState(CONFIG);
    await graph.invoke(APPROVE as never, CONFIG);
    await graph.invoke(APPROVE as never, config as never);
    expect(server.calls).toContain("pay");
    expect(server.calls).toEqual([...new Set(server.calls)]);
  },
);

it.each(graphs)(
  "Of a rejection and an approval at once, the first one counts (%s).",
  async (_, build, input) => {
    const { graph, server } = await pause(build, input);
    const resume = (command: unknown) => graph.invoke(command as never, CONFIG);
    const [rejected] = await Promise.all([REJECT, APPROVE].map(resume));
    expect(JSON.stringify(rejected)).toContain("was not approved: too much");
    expect(server.calls).toEqual([]);
  },
);

it.each(graphs)(
  "A thread that is approved again from the pause at which it was rejected makes no call (%s).",
  async (_, build, input) => {
    const { graph, server } = await pause(build, input);
    const { config } = await graph.getState(CONFIG);
    await graph.invoke(REJECT as never, CONFIG);
    await graph.invoke(APPROVE as never, config as never);
    expect(server.calls).toEqual([]);
  },
);

it.each(graphs)(
  "A tool that its server calls destructive waits with an interrupt by default (%s).",
  async (_, build, input) => {
    const annotations = { destructiveHint: true };
    const tools = { pay: { definition: { annotations } } };
    const { graph, server } = await pause(build, input, { tools, options: {} });
    await graph.invoke(APPROVE as never, CONFIG);
    expect(server.calls).toEqual(["pay"]);
  },
);
