import { MemorySaver } from "@langchain/langgraph";
import type { HostOptions } from "@toolrail/core";
import { rules } from "@toolrail/core/rules";
import { createAgent } from "langchain";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { asking } from "../../core/test/servers.ts";
import { singleStepMiddleware } from "../src/guard/index.ts";
import { createTools } from "../src/index.ts";
import { compilePipe, createPipeTool } from "../src/pipe/index.ts";
import { builds } from "./builds.ts";
import { openBank, QUESTION } from "./graphs.ts";
import { calling, ScriptedModel } from "./scripted-model.ts";

const CONTEXT = { user: "u1", tenant: "t1" };
/** As an application tells a run who calls: half in either place, and one name in both. */
const RUN = {
  configurable: { thread_id: "1", tenant: "t0", user: "u1" },
  context: { tenant: "t1" },
};

async function open(options: Partial<HostOptions> = {}) {
  const seen: [string, unknown][] = [];
  const { host } = await openBank(
    { a: { answer: () => asking("b") }, b: {}, c: {} },
    {
      authorize: ({ tool, context }) => {
        const { user, tenant } = context as typeof CONTEXT;
        seen.push([tool.name, { user, tenant }]);
        return "allow";
      },
      ...options,
    },
  );
  return { host, seen };
}

const told = (...tools: string[]) => tools.map((tool) => [tool, CONTEXT]);

describe.each(Object.entries(builds))("chains, %s", (_, build) => {
  it("Each hop and each rule receives the context of the run.", async () => {
    const { host, seen } = await open({
      use: [
        rules([
          {
            after: "bank.b",
            when: ({ context }) => Object(context).tenant === "t1",
            next: { tool: "bank.c" },
          },
        ]),
      ],
    });
    const model = new ScriptedModel([calling("a")], "done");
    const parts = { host, model, tools: createTools(host), checkpointer: new MemorySaver() };
    const graph = build(parts);
    await graph.invoke(QUESTION, RUN);
    // Policies may be asked twice: before a person is, and when the call is made.
    expect(new Set(seen.map((one) => JSON.stringify(one)))).toEqual(
      new Set(told("a", "b", "c").map((one) => JSON.stringify(one))),
    );
  });
});

const SPEC = {
  steps: [
    { id: "x", tool: "c", args: {} },
    { id: "y", pipe: { steps: [{ id: "z", tool: "b", args: {} }] } },
  ],
};

it("Steps of mcp_pipe receive it, in nested pipes too.", async () => {
  const { host, seen } = await open();
  const script = () => new ScriptedModel([calling("mcp_pipe", SPEC)], "done");
  const tools = createPipeTool(host);
  await createAgent({
    model: script(),
    tools,
    contextSchema: z.object({ tenant: z.string() }),
  }).invoke(QUESTION, RUN);
  expect(seen.splice(0)).toEqual(told("c", "b"));
  const checkpointer = new MemorySaver();
  await createAgent({ model: script(), tools, checkpointer }).invoke(QUESTION, RUN);
  expect(seen).toEqual(told("c", "b"));
});

it("Steps of a compiled pipe receive the context of its own run.", async () => {
  const { host, seen } = await open();
  await compilePipe(host, { spec: SPEC }).invoke({}, RUN as never);
  expect(seen).toEqual(told("c", "b"));
});

it("A guarded call receives it.", async () => {
  const { host, seen } = await open();
  const model = new ScriptedModel([calling("a")], "done");
  const rules = { allow: { "bank.*": "allow" }, contract: "off" } as const;
  const agent = createAgent({
    model,
    tools: createTools(host),
    middleware: [singleStepMiddleware(host, rules)],
  });
  await agent.invoke(QUESTION, RUN);
  const [, ...made] = seen; // The query asks first whether the call may be made.
  expect(made).toEqual(told("a"));
});
