import { Annotation, Command, END, MemorySaver, START, StateGraph } from "@langchain/langgraph";
import type { Host } from "@toolrail/core";
import { describe, expect, it } from "vitest";
import { compilePipe } from "../../src/pipe/index.ts";
import { inOtherProcess, losingSaver } from "../losing-saver.ts";
import { echo, openPipeHost, said, say } from "./pipe-scenario.ts";

const APPROVE = { decisions: [{ type: "approve" }] };
const CONFIG = { configurable: { thread_id: "1" }, durability: "sync" } as const;

/** A nested pipe in a group of a nested pipe, and steps around each of them. */
const SPEC = {
  steps: [
    say("a"),
    {
      id: "n",
      pipe: {
        vars: { a: { $ref: "steps.a.structured.v" } },
        steps: [
          say("b", `\${vars.a}b`),
          {
            id: "g",
            parallel: [
              say("c"),
              { id: "m", pipe: { steps: [say("d"), { id: "p", tool: "pay", args: { v: "p" } }] } },
            ],
          },
        ],
        return: { $ref: "steps.g.children.m.result.v" },
      },
    },
    say("z", { $ref: "steps.n.result" }),
  ],
};
const CALLS = ["a", "ab", "c", "d", "p", "p"];

function openHost(authorize: (tool: string) => "ask" | "allow") {
  const tools = { echo, pay: echo };
  return openPipeHost(tools, {
    secret: "the same in each process of the test",
    authorize: ({ tool }) => authorize(tool.name),
  });
}

/** A bigger graph, of which the pipe is a node. */
function compileAround(
  host: Host,
  { spec, checkpointer }: { spec: object; checkpointer: MemorySaver },
) {
  const state = Annotation.Root({ ok: Annotation<boolean>, result: Annotation<unknown> });
  return new StateGraph(state)
    .addNode("pipe", compilePipe(host, { spec }))
    .addNode("after", () => ({}))
    .addEdge(START, "pipe")
    .addEdge("pipe", "after")
    .addEdge("after", END)
    .compile({ checkpointer });
}

describe("a nested pipe in a graph", () => {
  it("It waits for a person, and continues in another process from the bytes of its checkpoints.", async () => {
    const saver = new MemorySaver();
    const first = await openHost((tool) => (tool === "pay" ? "ask" : "allow"));
    const paused: object = await compilePipe(first.host, {
      spec: SPEC,
      checkpointer: saver,
    }).invoke({}, CONFIG);
    expect(paused).toMatchObject({
      __interrupt__: [{ value: { actionRequests: [{ name: "pay", args: { v: "p" } }] } }],
    });
    expect(said(first.web).toSorted()).toEqual(["a", "ab", "c", "d"]);
    const second = await openHost((tool) => (tool === "pay" ? "ask" : "allow"));
    const graph = compilePipe(second.host, { spec: SPEC, checkpointer: inOtherProcess(saver) });
    expect(await graph.invoke(new Command({ resume: APPROVE }), CONFIG)).toMatchObject({
      ok: true,
      result: { v: "p" },
      steps: { n: { steps: { g: { children: { m: { steps: { p: { ok: true } } } } } } } },
    });
    expect(said(second.web)).toEqual(["p", "p"]);
  });

  it.each([
    ["alone", compilePipe],
    ["as a node of a bigger graph", compileAround],
  ])(
    "A process that is lost at any write is taken over, and the pipe ends as if nothing had been (%s).",
    async (_, compile) => {
      let lost = 0;
      for (const isWritten of [false, true]) {
        for (let count = 2; ; count++) {
          const saver = losingSaver({ count, isWritten });
          const { host, web } = await openHost(() => "allow");
          const running = compile(host, { spec: SPEC, checkpointer: saver }).invoke({}, CONFIG);
          const hasEnded = await running.then(
            () => true,
            () => false,
          );
          if (hasEnded) break;
          lost++;
          const other = inOtherProcess(saver);
          const result = await compile(host, { spec: SPEC, checkpointer: other }).invoke(
            null,
            CONFIG,
          );
          const where = `lost ${isWritten ? "after" : "before"} write ${count}`;
          expect(result, where).toMatchObject({ ok: true, result: { v: "p" } });
          expect(new Set(said(web)), where).toEqual(new Set(CALLS));
        }
      }
      expect(lost).toBeGreaterThan(20);
    },
  );

  it("It is refused if its vars are too large, before any of its calls.", async () => {
    const { host, web } = await openHost(() => "allow");
    const many = Array.from({ length: 50 }, () => ({ $ref: "steps.a.structured" }));
    const nested = { id: "n", pipe: { vars: { many }, steps: [say("b")] } };
    const spec = { steps: [say("a", "x".repeat(1_000)), nested] };
    const result = await compilePipe(host, { spec, limits: { maxKeptBytes: 10_000 } }).invoke({});
    expect(result).toMatchObject({
      ok: false,
      error: expect.stringMatching(/^steps\.n\.vars: .*larger than 10000/),
    });
    expect(web.calls).toEqual(["echo"]);
  });
});
