import { Command, MemorySaver } from "@langchain/langgraph";
import { createTools as createSdkTools, withChaining } from "@toolrail/ai-sdk";
import { withSingleStep } from "@toolrail/ai-sdk/guard";
import {
  type ChainResult,
  createHost,
  type Host,
  type HostOptions,
  type McpPort,
} from "@toolrail/core";
import { createSingleStep, type QueryState } from "@toolrail/core/guard";
import { type PausedPipe, resumePipe, runPipe } from "@toolrail/core/pipe";
import { chainMiddleware, createTools } from "@toolrail/langgraph";
import { singleStepMiddleware } from "@toolrail/langgraph/guard";
import { compilePipe, createPipeTool } from "@toolrail/langgraph/pipe";
import type { ModelMessage } from "ai";
import { createAgent } from "langchain";
import { type Major, majors, scriptModel } from "../../packages/ai-sdk/test/majors.ts";
import { buildChainNodeGraph, buildToolNodeGraph } from "../../packages/langgraph/test/builds.ts";
import { calling, ScriptedModel } from "../../packages/langgraph/test/scripted-model.ts";

/** A way in which a call of `bank.pay` waits for a person. */
interface Way {
  readonly name: string;
  /** Begins in one process, and returns what the framework or the application keeps. */
  begin(host: Host): Promise<unknown>;
  /** Approves the call in another process, with what was kept, and returns what is read there. */
  approve(host: Host, kept: unknown): Promise<unknown>;
}

const throughJson = (value: unknown) => JSON.parse(JSON.stringify(value));

export const SPEC = {
  steps: [
    { id: "o", tool: "list" },
    { id: "p", tool: "pay" },
  ],
};

const core: Way[] = [
  ...["pay", "order"].map((tool) => ({
    name: tool === "pay" ? "a call of `host.run`" : "a hop of `host.run`",
    begin: async (host: Host) => throughJson(await host.run({ tool })),
    approve: (host: Host, kept: unknown) => host.resume(kept as ChainResult, "approve"),
  })),
  {
    name: "a step of `runPipe`",
    begin: async (host) => throughJson((await runPipe(host, { spec: SPEC, pauses: true })).paused),
    approve: (host, kept) =>
      resumePipe(host, { paused: kept as PausedPipe, answers: { "steps.p": "approve" } }),
  },
  {
    name: "a guarded query",
    async begin(host) {
      const query = createSingleStep(host, { allow: ["bank.pay"] }).startQuery();
      await query.call({ tool: "pay" });
      return throughJson(await query.toState());
    },
    approve: (host, kept) =>
      createSingleStep(host, { allow: ["bank.pay"] })
        .startQuery(kept as QueryState)
        .resume("approve"),
  },
];

/** Ways of the AI SDK. The messages are kept, as JSON. */
function waysOf(major: Major): Way[] {
  const { sdk } = major;
  const stopWhen = sdk.stepCountIs(5);
  const settings: Record<string, (host: Host, model: unknown) => object> = {
    "a call of `createTools`": (host, model) => ({ model, stopWhen, tools: createSdkTools(host) }),
    "a call of `withChaining`": (host, model) => withChaining(host, { model }),
    "a hop of `withChaining`": (host, model) => withChaining(host, { model }),
    "a call of `withSingleStep`": (host, model) =>
      withSingleStep(host, { model, singleStep: { allow: ["bank.pay"], queryId: "q1" } }),
  };
  return Object.entries(settings).map(([name, compose]) => {
    const tool = name.includes("hop") ? "order" : "pay";
    const ask = async (host: Host, messages: ModelMessage[], turns: readonly string[]) => {
      const script = scriptModel(
        major,
        ...turns.map((turn) => (turn ? [{ tool: turn }] : ["done"])),
      );
      const settings = { ...compose(host, script.model), messages };
      const { responseMessages, response } = await sdk.generateText(settings as never);
      return { added: responseMessages ?? response.messages, read: script.prompts.at(-1) };
    };
    return {
      name: `${name} of ${major.name}`,
      async begin(host) {
        const first: ModelMessage[] = [{ role: "user", content: "pay" }];
        return throughJson([...first, ...(await ask(host, first, [tool])).added]);
      },
      async approve(host, kept) {
        const messages = throughJson(kept) as ModelMessage[];
        const ids = messages
          .flatMap(({ content }): readonly unknown[] =>
            typeof content === "string" ? [] : content,
          )
          .map((part) => part as { readonly type: string; readonly approvalId: string })
          .flatMap((part) => (part.type === "tool-approval-request" ? part.approvalId : []));
        const content = ids.map((approvalId) => {
          return { type: "tool-approval-response", approvalId, approved: true } as const;
        });
        return (await ask(host, [...messages, { role: "tool", content }], [""])).read;
      },
    };
  });
}

interface Graph {
  invoke(input: unknown, config: object): Promise<unknown>;
}

/** Ways of LangGraph. The checkpoints are kept. */
const langgraph: Way[] = Object.entries({
  "a call of `createTools` in `createAgent`": (host: Host, checkpointer: MemorySaver) =>
    createAgent({ model: model("pay"), tools: createTools(host), checkpointer }),
  "a call of `createTools` in a `ToolNode`": (host: Host, checkpointer: MemorySaver) =>
    buildToolNodeGraph({ model: model("pay"), tools: createTools(host), checkpointer }),
  "a hop of `chainMiddleware`": (host: Host, checkpointer: MemorySaver) =>
    createAgent({
      model: model("order"),
      tools: createTools(host),
      middleware: [chainMiddleware(host)],
      checkpointer,
    }),
  "a hop of `chainNode`": (host: Host, checkpointer: MemorySaver) =>
    buildChainNodeGraph({ host, model: model("order"), tools: createTools(host), checkpointer }),
  "a step of `compilePipe`": (host: Host, checkpointer: MemorySaver) =>
    compilePipe(host, { spec: SPEC, checkpointer }),
  "a step of `mcp_pipe` in `createAgent`": (host: Host, checkpointer: MemorySaver) =>
    createAgent({ model: model("mcp_pipe", SPEC), tools: createPipeTool(host), checkpointer }),
  "a call of `singleStepMiddleware`": (host: Host, checkpointer: MemorySaver) =>
    createAgent({
      model: model("pay"),
      tools: createTools(host),
      middleware: [singleStepMiddleware(host, { allow: ["bank.pay"] })],
      checkpointer,
    }),
}).map(([name, build]) => ({
  name: `${name} of LangGraph`,
  async begin(host) {
    const saver = new MemorySaver();
    const graph = build(host, saver) as Graph;
    await graph.invoke(name.includes("compilePipe") ? {} : QUESTION, CONFIG);
    return saver;
  },
  async approve(host, kept) {
    const { storage, writes } = kept as MemorySaver;
    const saver = Object.assign(new MemorySaver(), structuredClone({ storage, writes }));
    const resume = { decisions: [{ type: "approve" }] };
    return (build(host, saver) as Graph).invoke(new Command({ resume }), CONFIG);
  },
}));

export const CONFIG = { configurable: { thread_id: "t1" } };

export const QUESTION = { messages: [{ role: "user", content: "pay" }] };

/** A model that calls a tool, and speaks once it has read a result. */
class OneCall extends ScriptedModel {
  private readonly tool: string;
  private readonly args: Record<string, unknown>;

  constructor(tool: string, args: Record<string, unknown>) {
    super();
    this.tool = tool;
    this.args = args;
  }

  override async _generate(messages: Parameters<ScriptedModel["_generate"]>[0]) {
    const isAnswered = messages.some(({ type }) => type === "tool");
    const script = new ScriptedModel(isAnswered ? "done" : [calling(this.tool, this.args)]);
    return script._generate(messages);
  }
}

export const model = (tool: string, args: Record<string, unknown> = {}) => new OneCall(tool, args);

export const WAYS = [...core, ...majors.flatMap(waysOf), ...langgraph];

/** A bank in a process of its own, and the hosts of processes that come and go. */
export function openBank() {
  const calls: string[] = [];
  const outputSchema = { type: "object", properties: { paid: { type: "number" } } };
  const bank: McpPort = {
    list: async () => ({
      tools: ["list", "order", "pay"].map((name) => {
        return { name, inputSchema: { type: "object" }, ...(name === "pay" && { outputSchema }) };
      }),
    }),
    async call({ name }) {
      calls.push(name);
      const _meta = name === "order" ? { nextTool: { tool: "pay" } } : {};
      return { content: [], structuredContent: { paid: calls.length }, _meta };
    },
  };
  const open = (options: Partial<HostOptions> = {}) =>
    createHost({
      servers: { bank },
      authorize: ({ tool }) => (tool.name === "pay" ? "ask" : "allow"),
      ...options,
    });
  const paid = () => calls.filter((name) => name === "pay").length;
  return { open, paid, calls };
}
