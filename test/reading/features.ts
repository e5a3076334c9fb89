import { createTools as toolsOfAiSdk, withChaining } from "@toolrail/ai-sdk";
import { createHost, type HostOptions, modelView, userView } from "@toolrail/core";
import { createSingleStep } from "@toolrail/core/guard";
import { runPipe } from "@toolrail/core/pipe";
import { references } from "@toolrail/core/references";
import { rules } from "@toolrail/core/rules";
import { chainMiddleware, createTools as toolsOfLangChain } from "@toolrail/langgraph";
import { compilePipe } from "@toolrail/langgraph/pipe";
import { generateText } from "ai";
import { createAgent } from "langchain";
import { asking, createTestServer } from "../../packages/core/test/servers.ts";
import { aiSdkModel, langChainModel } from "./models.ts";

/** A use of Toolrail. */
export interface Feature {
  readonly name: string;
  /** The features that one has read before it. Default: none. */
  readonly after?: readonly string[];
  /** Prepares the function that is measured. */
  prepare(): Promise<() => Promise<unknown>>;
}

const PAGE = "one line of a page\n".repeat(1_000);
const TEXT = { type: "object", properties: { text: { type: "string" } } };

/** A server whose tools answer, ask for the next call, send a long text, and take one. */
async function serve() {
  const { client } = await createTestServer({
    look: {},
    begin: { answer: () => asking("look", {}, "left = 0") },
    page: { answer: () => ({ content: [{ type: "text", text: PAGE }] }) },
    send: {
      definition: { inputSchema: TEXT, outputSchema: { type: "object" } },
      answer: () => SENT,
    },
  });
  return client;
}
const SENT = { content: [{ type: "text", text: "sent" }], structuredContent: { sent: true } };

async function hostOf(options: Omit<HostOptions, "servers"> = {}) {
  return createHost({ ...options, servers: { shop: await serve() } });
}

const conversation = "conversation 1";
const origin = { by: "model" } as const;
const CREATE = "`createHost`";
const CALL = "a call, and what a model reads of it";
const CHAIN = "a chain";
const PIPE = "a pipe of two steps";
const AI_SDK = "a chain inside a tool of the AI SDK";
const LANGCHAIN = "a chain inside a tool of LangChain";
const steps = [
  { id: "page", tool: "shop.page" },
  { id: "send", tool: "shop.send", args: { text: { $ref: "steps.page.text" } } },
];

export const FEATURES: readonly Feature[] = [
  {
    name: CREATE,
    prepare: async () => {
      const client = await serve();
      return () => createHost({ servers: { shop: client } });
    },
  },
  {
    name: CALL,
    after: [CREATE],
    prepare: async () => {
      const host = await hostOf();
      return async () => modelView(await host.run({ tool: "shop.look" }));
    },
  },
  {
    name: CHAIN,
    after: [CREATE, CALL],
    prepare: async () => {
      const host = await hostOf();
      return async () => userView(await host.run({ tool: "shop.begin" }));
    },
  },
  {
    name: "an approval",
    after: [CREATE, CALL, CHAIN],
    prepare: async () => {
      const host = await hostOf({ requireApproval: ["shop.look"] });
      return async () => host.resume(await host.run({ tool: "shop.begin" }), "approve");
    },
  },
  {
    name: "a rule",
    after: [CREATE, CALL, CHAIN],
    prepare: async () => {
      const next = { tool: "shop.send", arguments: { text: { $ref: "text" } } };
      const client = await serve();
      return async () => {
        const use = [rules([{ after: "shop.look", when: ({ isError }) => !isError, next }])];
        const host = await createHost({ servers: { shop: client }, use });
        return host.run({ tool: "shop.look" });
      };
    },
  },
  {
    name: "a long result by reference",
    after: [CREATE, CALL],
    prepare: async () => {
      const host = await hostOf({ use: [references()] });
      return async () => {
        const chain = await host.run({ tool: "shop.page" }, { conversation });
        const read = JSON.stringify(modelView(await host.keep(chain, { conversation })).content);
        const text = /\$\{\w+\.text\}/.exec(read)?.[0];
        if (!text) throw new Error("The model reads no address.");
        return host.run({ tool: "shop.send", arguments: { text } }, { conversation, origin });
      };
    },
  },
  {
    name: PIPE,
    after: [CREATE, CALL],
    prepare: async () => {
      const host = await hostOf();
      return () => runPipe(host, { spec: { steps } });
    },
  },
  {
    name: "a query of the guard",
    after: [CREATE, CALL],
    prepare: async () => {
      const guard = createSingleStep(await hostOf(), { allow: { "shop.send": "allow" } });
      return () => guard.startQuery().call({ tool: "shop.send", arguments: { text: "x" } });
    },
  },
  {
    name: AI_SDK,
    after: [CREATE, CALL, CHAIN],
    prepare: async () => {
      const host = await hostOf();
      const model = aiSdkModel("begin");
      return () => generateText({ model, tools: toolsOfAiSdk(host), prompt: "Begin." });
    },
  },
  {
    name: LANGCHAIN,
    after: [CREATE, CALL, CHAIN],
    prepare: async () => {
      const host = await hostOf();
      const call = { type: "tool_call", id: "call-1", name: "begin", args: {} } as const;
      return async () =>
        toolsOfLangChain(host)
          .find(({ name }) => name === "begin")
          ?.invoke(call);
    },
  },
  {
    name: "`withChaining`: each hop a step of the AI SDK",
    after: [CREATE, CALL, CHAIN, AI_SDK],
    prepare: async () => {
      const host = await hostOf();
      const model = aiSdkModel("begin");
      return () => generateText({ ...withChaining(host, { model }), prompt: "Begin." });
    },
  },
  {
    name: "`chainMiddleware`: each hop a turn of LangChain's agent",
    after: [CREATE, CALL, CHAIN, LANGCHAIN],
    prepare: async () => {
      const host = await hostOf();
      const model = langChainModel("begin");
      return () =>
        createAgent({
          model,
          tools: toolsOfLangChain(host),
          middleware: [chainMiddleware(host)],
        }).invoke({
          messages: "Begin.",
        });
    },
  },
  {
    name: "a pipe compiled to a graph of LangGraph",
    after: [CREATE, CALL, PIPE, LANGCHAIN],
    prepare: async () => {
      const host = await hostOf();
      return async () => (await compilePipe(host, { spec: { steps } })).invoke({});
    },
  },
];
