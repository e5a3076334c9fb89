import { Command, MemorySaver } from "@langchain/langgraph";
import * as aiSdk from "@toolrail/ai-sdk";
import * as core from "@toolrail/core";
import { createHost, type Host, type McpPort } from "@toolrail/core";
import { http, stdio } from "@toolrail/core/connect";
import { contract } from "@toolrail/core/contract";
import { createSingleStep } from "@toolrail/core/guard";
import { runPipe } from "@toolrail/core/pipe";
import { references } from "@toolrail/core/references";
import { rules } from "@toolrail/core/rules";
import * as langgraph from "@toolrail/langgraph";
import { createSingleStepGraph, singleStepMiddleware } from "@toolrail/langgraph/guard";
import { compilePipe } from "@toolrail/langgraph/pipe";
import { createAgent } from "langchain";
import { expect, it } from "vitest";
import { majorNamed, scriptModel } from "../../packages/ai-sdk/test/majors.ts";
import { calling, ScriptedModel } from "../../packages/langgraph/test/scripted-model.ts";

type Loose = ((...given: unknown[]) => unknown) & { resume: Loose };

/** A function that a program in JavaScript calls with whatever it has. */
const loose = (made: unknown) => made as Loose;

const SCHEMA = { type: "object", properties: { order: { type: "string" } }, required: ["order"] };
const ORDER = { order: "1" };
const called: string[] = [];

/** A shop whose tool `find` names its next tool in a way of its own. */
const shop: McpPort = {
  list: async () => ({
    tools: ["find", "refund"].map((name) => ({ name, inputSchema: SCHEMA })),
  }),
  async call({ name }) {
    called.push(name);
    return { content: [], ...(name === "find" && { _meta: { nextTool: "refund" } }) };
  },
};

const host = (options: object = {}) =>
  loose(createHost)({ servers: { shop }, ...options }) as Promise<Host>;
const refund = { tool: "shop.refund", arguments: ORDER };
const deciding = (answer: unknown) => async () =>
  (await host({ authorize: () => answer })).call(refund);
const resuming = (decision: unknown) => async () => {
  const asking = await host({ authorize: () => "ask" });
  return loose(asking).resume(await asking.run(refund), decision);
};
const pipe = (step: object) => async () => {
  const { error, problems } = await runPipe(await host(), { spec: { steps: [step] } });
  throw Object.assign(new Error(error), { code: problems ? "invalid-pipe" : "none" });
};

/** What a user can get wrong, the code of what is said then, and what the sentence names. Nothing is called. */
const mistakes: readonly (readonly [string, () => unknown, string, RegExp])[] = [
  ["No options for createHost", () => loose(createHost)(), "invalid-options", /servers/],
  ["A policy that answers true", deciding(true), "denied", /"allow", "ask"/],
  ["A policy that forgets to answer", deciding(undefined), "denied", /"allow", "ask"/],
  ["A policy whose reason is not a text", deciding({ ask: true }), "denied", /ask: reason/],
  [
    "A policy that denies without a reason",
    deciding({ deny: undefined }),
    "denied",
    /deny: reason/,
  ],
  ["An expression in `allow`", () => host({ allow: [/find/] }), "invalid-options", /allow.*RegExp/],
  [
    "A limit as a text",
    () => host({ limits: { maxChainDepth: "5" } }),
    "invalid-options",
    /maxChainDepth/,
  ],
  [
    "A listener that is none",
    () => host({ onEvent: "log" }),
    "invalid-options",
    /onEvent.*function/,
  ],
  ["A short secret", () => host({ secret: "abc" }), "invalid-options", /32/],
  [
    "A rule whose next is a text",
    () => host({ use: [rules([{ after: "shop.find", next: "shop.refund" } as never])] }),
    "invalid-options",
    /rules\[0\]\.next.*tool/,
  ],
  [
    "One rule in place of a list",
    () => host({ use: [loose(rules)({ after: "shop.find" })] }),
    "invalid-options",
    /list of rules/,
  ],
  [
    "A contract that is a list",
    () => host({ use: [loose(contract)(["shop.find"])] }),
    "invalid-options",
    /contract/,
  ],
  [
    "A number for the options of references",
    () => host({ use: [loose(references)(8_000)] }),
    "invalid-options",
    /references/,
  ],
  [
    "An audience for a tool that is misspelt",
    () => host({ use: [core.audience({ tools: { "shop.fnd": ["user"] } })] }),
    "invalid-options",
    /shop\.find/,
  ],
  [
    "`args` in place of `arguments`",
    async () => loose(await host()).call({ tool: "shop.refund", args: ORDER }),
    "invalid-options",
    /arguments/,
  ],
  [
    "Arguments as JSON text",
    async () => loose(await host()).call({ tool: "shop.refund", arguments: '{"order":"1"}' }),
    "invalid-arguments",
    /object/,
  ],
  [
    "A name and arguments in place of a request",
    async () => loose(await host()).call("shop.refund", ORDER),
    "invalid-options",
    /object of options/,
  ],
  [
    "The name that models use",
    async () => (await host()).call({ tool: "shop_refund", arguments: ORDER }),
    "unknown-tool",
    /shop\.refund/,
  ],
  [
    "A call without a required argument",
    async () => (await host()).call({ tool: "shop.refund" }),
    "invalid-arguments",
    /order/,
  ],
  ["A chain that goes on with true", resuming(true), "invalid-options", /"approve"/],
  [
    "A chain that goes on with { approved }",
    resuming({ approved: true }),
    "invalid-options",
    /"approve"/,
  ],
  [
    "A host that was closed",
    async () => {
      const closed = await host();
      await closed.close();
      return closed.call(refund);
    },
    "aborted",
    /create a new one/,
  ],
  [
    "A spec in place of the options of runPipe",
    async () => loose(runPipe)(await host(), { steps: [] }),
    "invalid-options",
    /spec/,
  ],
  [
    "`arguments` in a step of a pipe",
    pipe({ id: "a", tool: "shop.refund", arguments: ORDER }),
    "invalid-pipe",
    /args/,
  ],
  [
    "A reference to a step that there is not",
    pipe({ id: "a", tool: "shop.refund", args: { order: { $ref: "steps.b.text" } } }),
    "invalid-pipe",
    /no "b"/,
  ],
  [
    "A spec in place of the options of compilePipe",
    async () => loose(compilePipe)(await host(), { steps: [] }),
    "invalid-options",
    /spec/,
  ],
  [
    "Loose variables for a compiled pipe",
    async () =>
      compilePipe(await host(), {
        spec: { steps: [{ id: "a", tool: "shop.refund", args: ORDER }] },
      }).invoke({ q: "1" } as never),
    "invalid-pipe",
    /vars/,
  ],
  [
    "The tools of a host in place of the host",
    async () => loose(aiSdk.createTools)((await host()).tools),
    "invalid-options",
    /createHost/,
  ],
  [
    "Settings that are composed twice",
    async () => {
      const own = await host();
      const { model } = scriptModel(majorNamed("ai 7"), ["hi"]);
      return aiSdk.withChaining(own, aiSdk.withChaining(own, { model }));
    },
    "invalid-options",
    /once/,
  ],
  ...([{ stopWhen: 5 }, { stopWhen: [5] }, { maxSteps: 5 }] as object[]).map(
    (more) =>
      [
        `A limit of steps as ${JSON.stringify(more)}`,
        async () => {
          const { model } = scriptModel(majorNamed("ai 7"), ["hi"]);
          return aiSdk.withChaining(await host(), { model, ...more });
        },
        "invalid-options",
        /stopWhen: llmSteps\(5\)/,
      ] as const,
  ),
  [
    "An approval for a tool that is misspelt",
    async () => {
      const { model } = scriptModel(majorNamed("ai 7"), ["hi"]);
      const toolApproval = { refnd: "user-approval" } as const;
      return aiSdk.withChaining(await host(), { model, toolApproval });
    },
    "invalid-options",
    /refund/,
  ],
  [
    "A graph of the guard without a model",
    async () => loose(createSingleStepGraph)(await host(), { allow: ["shop.refund"] }),
    "invalid-options",
    /model/,
  ],
  ["A text for llmSteps", () => loose(aiSdk.llmSteps)("five"), "invalid-options", /whole number/],
  [
    "A misspelt tool in the selection of createTools",
    async () => langgraph.createTools(await host(), { tools: ["fnd"] }),
    "invalid-options",
    /shop\.find/,
  ],
  [
    "A template of another language in a rule",
    () => {
      const next = { tool: "shop.refund", arguments: { order: "{{structured.id}}" } };
      return host({ use: [rules([{ after: "shop.find", next }])] });
    },
    "invalid-options",
    /\$ref/,
  ],
  [
    "A template of another language in a pipe",
    pipe({ id: "a", tool: "shop.refund", args: { order: "{{vars.id}}" } }),
    "invalid-pipe",
    /\$ref/,
  ],
  [
    "A host in an object of options",
    async () => loose(langgraph.chainMiddleware)({ host: await host() }),
    "invalid-options",
    /createHost/,
  ],
  [
    "An address without its protocol",
    () => http("localhost:3000/mcp"),
    "invalid-options",
    /http:\/\//,
  ],
  [
    "Arguments of a program as one text",
    () => loose(stdio)({ command: "npx", args: "-y x" }),
    "invalid-options",
    /list/,
  ],
  [
    "Messages in place of a result",
    () => loose(core.modelView)([]),
    "invalid-options",
    /host\.run/,
  ],
];

it.each(mistakes)(
  "%s calls nothing, and the error says what to do.",
  async (_, make, code, names) => {
    called.length = 0;
    const error = await Promise.resolve()
      .then(make)
      .then(
        () => new Error("Nothing was said."),
        (reason: Error) => reason,
      );
    expect(error.message).toMatch(names);
    expect(error).toMatchObject({ code });
    expect(called).toEqual([]);
  },
);

it("A server that names its next tool in a form of its own ends the chain, and the error shows the form.", async () => {
  const { ended, error } = await (await host()).run({ tool: "shop.find", arguments: ORDER });
  expect([ended, error?.code]).toEqual(["malformed", "malformed-next-tool"]);
  expect(error?.message).toMatch(/\{ tool, arguments\? \}/);
});

it("A program with its arguments in one text is a problem that names the right form.", async () => {
  const { problems } = await createHost({ servers: { a: stdio("npx -y some-server") } });
  expect(problems[0]?.message).toContain('stdio("npx", ["-y", "some-server"])');
});

it("A rule for a tool that is misspelt is a problem that names the right one.", async () => {
  const misspelt = rules([{ after: "shop.fnd", next: { tool: "shop.refund" } }]);
  const { problems } = await host({ use: [misspelt] });
  expect(problems).toMatchObject([{ message: expect.stringContaining("shop.find") }]);
});

it("A guard with a bare name offers nothing.", async () => {
  const guard = createSingleStep(await host(), { allow: ["find"] });
  expect(guard.tools).toEqual([]);
});

it("An approval that is only `true` is asked for again, with the right form.", async () => {
  const own = await host({ authorize: () => "ask" });
  const model = new ScriptedModel([calling("refund", ORDER)], "done");
  const tools = langgraph.createTools(own);
  const agent = createAgent({ model, tools, checkpointer: new MemorySaver() });
  const config = { configurable: { thread_id: "1" } };
  await agent.invoke({ messages: [{ role: "user", content: "please" }] }, config);
  called.length = 0;
  const again = await agent.invoke(new Command({ resume: true }), config);
  expect(JSON.stringify(again)).toContain("decisions: [...]");
  expect(called).toEqual([]);
});

it("A guarded agent without the tools of its host is a warning that says how to give them.", async () => {
  const warnings: unknown[] = [];
  const onEvent = (event: core.HostEvent) =>
    void (event.type === "warning" && warnings.push(event.code));
  const guard = { allow: ["shop.refund"], contract: "off" } as const;
  const middleware = [singleStepMiddleware(await host({ onEvent }), guard)] as const;
  const agent = createAgent({ model: new ScriptedModel("hi"), tools: [], middleware });
  for (let again = 0; again < 2; again++)
    await agent.invoke({ messages: [{ role: "user", content: "please" }] });
  expect(warnings).toEqual(["no-host-tools"]);
});

it("The list of a host's tools cannot be changed by mistake.", async () => {
  const { tools } = await host();
  expect(() => (tools as core.Tool[]).splice(0)).toThrow(TypeError);
  expect(tools).toHaveLength(2);
});
