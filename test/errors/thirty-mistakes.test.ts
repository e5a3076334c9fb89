import * as aiSdk from "@toolrail/ai-sdk";
import { withSingleStep } from "@toolrail/ai-sdk/guard";
import { createPipeTool as createSdkPipeTool } from "@toolrail/ai-sdk/pipe";
import { createHost, type Host, type McpPort, modelView } from "@toolrail/core";
import { http } from "@toolrail/core/connect";
import { contract } from "@toolrail/core/contract";
import { answerQuery, createSingleStep } from "@toolrail/core/guard";
import { otel } from "@toolrail/core/otel";
import { resumePipe, runPipe } from "@toolrail/core/pipe";
import { references } from "@toolrail/core/references";
import { rules } from "@toolrail/core/rules";
import * as langgraph from "@toolrail/langgraph";
import { createSingleStepGraph, singleStepMiddleware } from "@toolrail/langgraph/guard";
import { compilePipe, createPipeTool } from "@toolrail/langgraph/pipe";
import { AIMessage, createAgent, fakeModel } from "langchain";
import { expect, it } from "vitest";
import * as openai from "../../examples/openai-agents-adapter/src/index.ts";
import { createPostgresStore } from "../../packages/core/src/postgres/index.ts";
import { registerMcpPipe } from "../../packages/server/src/pipe.ts";

/** A function whose options a user may misspell: its types are not asked. */
type Loose = ((...given: unknown[]) => unknown) & { resume: Loose };

const loose = (made: unknown) => made as Loose;
const SCHEMA = {
  type: "object",
  properties: { order: { type: "string" }, to: { type: "string" } },
};

/** A shop in this process. */
const shop: McpPort = {
  list: async () => ({
    tools: ["find", "refund", "mail"].map((name) => ({ name, inputSchema: SCHEMA })),
  }),
  call: async () => ({ content: [{ type: "text", text: "done" }] }),
};

/** A host with these options besides its server. */
const host = (options: object = {}) =>
  loose(createHost)({ servers: { shop }, ...options }) as Promise<Host>;

/** Passes a host to a function of an adapter, with these options. */
const using = (made: unknown, options: object) => async () => loose(made)(await host(), options);

const calling = (request: object, options?: object) => async () =>
  loose(await host()).call(request, options);

/** Passes a middleware to an agent without calling it. */
const uncalled = (middleware: unknown) => async () => {
  const model = fakeModel().respond(new AIMessage("Hello."));
  const agent = { model, tools: langgraph.createTools(await host()), middleware: [middleware] };
  return createAgent(agent as never);
};

/** Continues a pipe that waits for an approval with these options. */
const pausedPipe = (options: (paused: unknown) => object) => async () => {
  const asking = await host({ requireApproval: ["shop.refund"] });
  const spec = { steps: [{ id: "refund", tool: "shop.refund", args: {} }] };
  const { paused } = await runPipe(asking, { spec, pauses: true });
  return loose(resumePipe)(asking, options(paused));
};

/** What a user can get wrong, and what is said then. */
const mistakes: readonly (readonly [mistake: string, make: () => unknown, says: string])[] = [
  [
    "A misspelt option of createHost",
    () => host({ autorize: () => "ask" }),
    'createHost has no option "autorize". Did you mean "authorize"?',
  ],
  [
    "A word in place of a policy",
    () => host({ authorize: "ask" }),
    'The option "authorize" of createHost must be a function, such as ({ tool }) => "ask", or a list of them (tools that a person must approve go into `requireApproval`); it is a text.',
  ],
  [
    "A plugin that is not in a list",
    () => host({ use: { name: "log", wrapCall: () => {} } }),
    'The option "use" of createHost must be a list of plugins; it is an object.',
  ],
  [
    "A store without functions",
    () => host({ store: {} }),
    'The option "store" of createHost must be a store with the functions get, set, delete; it is an object.',
  ],
  [
    "A list of servers",
    () => host({ servers: [shop] }),
    'The option "servers" of createHost must be an object of servers by name, such as { shop: client }; it is a list.',
  ],
  [
    "A misspelt limit",
    () => host({ limits: { maxChainDept: 3 } }),
    'limits.maxChainDept does not exist. Did you mean "maxChainDepth"?',
  ],
  [
    "`args` in a call",
    calling({ tool: "shop.find", args: { order: "1" } }),
    'host.call has no option "args". Did you mean "arguments"?',
  ],
  [
    "`args` in the next call of a rule",
    () =>
      host({
        use: [rules([{ after: "shop.find", next: { tool: "shop.mail", args: {} } as never }])],
      }),
    'rules[0].next has the unknown key "args". Did you mean "arguments"?',
  ],
  [
    "`arguments` in a step of a pipe",
    async () => {
      const spec = { steps: [{ id: "a", tool: "shop.find", arguments: {} }] };
      const { error } = await runPipe(await host(), { spec });
      throw new Error(error);
    },
    'has the unknown key "arguments". Use one of id, tool, args',
  ],
  [
    "An object for the conversation",
    calling({ tool: "shop.find" }, { conversation: { user: 1 } }),
    'The option "conversation" of host.call must be a text that is not empty; it is an object.',
  ],
  [
    "An object for the conversation when a chain goes on",
    async () => loose(await host()).resume({}, "approve", { conversation: {} }),
    'The option "conversation" of host.resume must be a text that is not empty; it is an object.',
  ],
  [
    "A misspelt option of a call",
    calling({ tool: "shop.find" }, { converstion: "a" }),
    'host.call has no option "converstion". Did you mean "conversation"?',
  ],
  [
    "A misspelt option of createTools for the AI SDK",
    using(aiSdk.createTools, { onHopp: () => {} }),
    'createTools has no option "onHopp". Did you mean "onHop"?',
  ],
  [
    "A misspelt setting of withChaining",
    using(aiSdk.withChaining, { model: {}, chainning: {} }),
    'withChaining has no setting "chainning". Did you mean "chaining"?',
  ],
  [
    "A misspelt option of createPipeTool of the AI SDK",
    using(createSdkPipeTool, { limit: {} }),
    'createPipeTool has no option "limit". Did you mean "limits"?',
  ],
  [
    "A misspelt option under `singleStep`",
    using(withSingleStep, { model: {}, singleStep: { alow: ["shop.find"] } }),
    '`singleStep` has no option "alow". Did you mean "allow"?',
  ],
  [
    "A text for the tools of LangGraph",
    using(langgraph.createTools, { tools: "shop.find" }),
    'The option "tools" of createTools must be a list of texts, or a function; it is a text.',
  ],
  [
    "A misspelt option of chainMiddleware",
    using(langgraph.chainMiddleware, { folded: false }),
    'chainMiddleware has no option "folded". Did you mean "fold"?',
  ],
  [
    "A misspelt option of singleStepMiddleware",
    using(singleStepMiddleware, { allowed: ["shop.find"] }),
    'singleStepMiddleware has no option "allowed". Did you mean "allow"?',
  ],
  [
    "A single-step graph without a chat model",
    using(createSingleStepGraph, { model: "some-model" }),
    'The option "model" of createSingleStepGraph must be an object; it is a text.',
  ],
  [
    "A misspelt option of compilePipe",
    using(compilePipe, { spec: {}, checkpoint: true }),
    'compilePipe has no option "checkpoint". Did you mean "checkpointer"?',
  ],
  [
    "A misspelt option of createPipeTool",
    using(createPipeTool, { tool: ["shop.find"] }),
    'createPipeTool has no option "tool". Did you mean "tools"?',
  ],
  [
    "A misspelt option of createTools for the OpenAI Agents SDK",
    using(openai.createTools, { conversaton: "1" }),
    'createTools has no option "conversaton". Did you mean "conversation"?',
  ],
  [
    "A promise in place of a host",
    () => openai.createTools(host() as unknown as Host),
    "This is not a host: pass what `await createHost(...)` returns, not its promise or a copy.",
  ],
  [
    "A misspelt option of registerMcpPipe",
    () => loose(registerMcpPipe)({}, { tool: ["find"] }),
    'registerMcpPipe has no option "tool". Did you mean "tools"?',
  ],
  [
    "An address in place of a database",
    () => loose(createPostgresStore)("postgres://localhost"),
    "createPostgresStore takes a `Pool` of `pg`, or anything with its `query`.",
  ],
  [
    "An option for contract",
    () => loose(contract)({ report: true }),
    'contract has no option "report". Use one of none.',
  ],
  [
    "A misspelt option of a guard",
    using(createSingleStep, { allows: ["shop.find"] }),
    'createSingleStep has no option "allows". Did you mean "allow"?',
  ],
  [
    "Options in place of the API of OpenTelemetry",
    () => loose(otel)({ servers: { shop } }),
    "otel takes all of @opentelemetry/api",
  ],
  [
    "The middleware of the guard that is not called",
    uncalled(singleStepMiddleware),
    "singleStepMiddleware is not called yet: write it as in middleware: [singleStepMiddleware(host)].",
  ],
  [
    "The middleware of chains that is not called",
    uncalled(langgraph.chainMiddleware),
    "chainMiddleware is not called yet: write it as in middleware: [chainMiddleware(host)].",
  ],
  [
    "A pattern in requireApproval that no tool can have",
    () => host({ requireApproval: ["refund*"] }),
    '`requireApproval` names "refund*", but no server lists such a tool. Did you mean "shop.refund"?',
  ],
  [
    "A guarded query without its text",
    async () => {
      const guard = createSingleStep(await host(), { allow: ["shop.find"] });
      return loose(answerQuery)(guard, { plan: () => "{}" });
    },
    "The query of a guard must be a text.",
  ],
  [
    "Messages in place of the query of a guarded graph",
    async () => {
      const model = { invoke: () => ({ text: "{}" }) } as never;
      const graph = createSingleStepGraph(await host(), { model, allow: ["shop.find"] });
      return graph.invoke({ messages: [] } as never);
    },
    "The query of a guard must be a text.",
  ],
  [
    "A plugin with options that is not called",
    () => host({ use: [references] }),
    "use[0] is not called yet: write it as in use: [rules([…])].",
  ],
  [
    "A plugin of the core that is not called",
    () => host({ use: [contract] }),
    "use[0] is not called yet: write it as in use: [rules([…])].",
  ],
  [
    "A condition in place of a plugin",
    () => host({ use: [references(), false] }),
    'The option "use" of createHost must be a list of plugins; it is a list that holds a function, a boolean.',
  ],
  [
    "An expression in requireApproval",
    () => host({ requireApproval: ["shop.find", /refund/] }),
    'The option "requireApproval" of createHost must be a list of texts, or a function; it is a list that holds a text, an object of the class RegExp.',
  ],
  [
    "A reference of a pipe in the arguments of a rule",
    () => {
      const next = { tool: "shop.mail", arguments: { to: "Ask ${structured.id}." } };
      return host({ use: [rules([{ after: "shop.find", next }])] });
    },
    'rules[0].next.arguments.to contains "${structured", which a rule sends as it is: write { $ref: "structured.…" }, or a function as `next`.',
  ],
  [
    "withChaining without its host",
    () => loose(aiSdk.withChaining)({ model: {}, prompt: "hi" }),
    "This is not a host: pass what `await createHost(...)` returns",
  ],
  [
    "compilePipe without options",
    async () => loose(compilePipe)(await host()),
    "compilePipe takes an object of options",
  ],
  [
    "An answer to a step of a pipe under another name",
    pausedPipe((paused) => ({ paused, answers: { refund: "approve" } })),
    "The answer to refund: No step waits there, but steps.refund.",
  ],
  [
    "A paused pipe that goes on without answers",
    pausedPipe((paused) => ({ paused })),
    "Of the options, answers must be an object.",
  ],
  [
    "A function in place of the server that it makes",
    () => host({ servers: { shop: http } }),
    'http(): "[object Object]" is not an http or https URL, such as "http://localhost:3000/mcp".',
  ],
  [
    "A promise in place of a result",
    async () => modelView((await host()).run({ tool: "shop.find" }) as never),
    "This is not a result, a hop or a chain: pass what `await host.run(...)` returns, not its promise.",
  ],
  [
    "Messages of a page in place of the model's",
    using(aiSdk.withChaining, { model: {}, messages: [{ role: "user", parts: [] }] }),
    "`messages` are those of a page: convert them with `await convertToModelMessages(messages)` first.",
  ],
];

it.each(mistakes)("%s is answered by a sentence that says what to do.", async (_, make, says) => {
  const error = await Promise.resolve()
    .then(make)
    .then(
      () => new Error("Nothing was said."),
      (reason: Error) => reason,
    );
  expect(error.message).toContain(says);
});
