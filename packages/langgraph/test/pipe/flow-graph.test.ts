import { MemorySaver } from "@langchain/langgraph";
import { runPipe } from "@toolrail/pipe";
import { flow } from "@toolrail/pipe/flow";
import { describe, expect, it } from "vitest";
import { compilePipe } from "../../src/pipe/index.ts";
import { echo, openPipeHost, said, say } from "./pipe-scenario.ts";

const GROUP = { id: "g", parallel: [say("x"), { id: "in", parallel: [say("y"), say("z")] }] };
const NESTED = { id: "n", pipe: { steps: [say("p"), { ...say("q"), when: "steps.p.ok" }] } };
const LIST = { id: "e", for_each: [1, 2], do: { tool: "echo", args: { v: { $ref: "item" } } } };

async function open(steps: readonly object[], more: object = {}) {
  const { host, web } = await openPipeHost({ echo });
  const spec = { steps, ...more };
  const graph = compilePipe(host, { spec, flow: flow(), checkpointer: new MemorySaver() });
  return { graph, web, config: { configurable: { thread_id: "1" } } };
}

type Drawn = ReturnType<Awaited<ReturnType<typeof open>>["graph"]["getGraph"]>;

/** Its edges, but for those at both ends, with a mark on those that depend on something. */
function edgesOf({ edges }: Drawn): string[] {
  const shown = edges.filter(({ source, target }) => !`${source} ${target}`.includes("__"));
  return shown.map(({ source, target, data = "-" }) => `${source} ${data} ${target}`).toSorted();
}

describe("the graph of a pipe, as LangGraph draws it", () => {
  it("A list of steps is its steps, each with an edge to the next, and one to the end if it fails.", async () => {
    const { graph } = await open([say("a"), { ...say("b"), when: "steps.a.ok" }, say("c")]);
    const expected = [
      ...["begin - a", "a when b", "a failed finish"],
      ...["b - c", "b failed finish", "c - finish"],
    ];
    expect(edgesOf(graph.getGraph())).toEqual(expected.toSorted());
    expect(edgesOf(await graph.getGraphAsync())).toEqual(expected.toSorted());
  });

  it("With continue_on_error a failed step leads on.", async () => {
    const { graph } = await open([say("a"), say("b")], { continue_on_error: true });
    expect(edgesOf(graph.getGraph())).toEqual(["a - b", "b - finish", "begin - a"]);
  });

  it("A group fans out to its parts and joins, also one in another.", async () => {
    const { graph } = await open([GROUP, say("c")]);
    const around = ["begin - g", "g - g.x", "g.x - g/end", "g/end - c", "g/end failed finish"];
    const plain = [...around, "g - g.in", "g.in - g/end", "c - finish"];
    expect(edgesOf(graph.getGraph())).toEqual(plain.toSorted());
    const whole = [
      ...around,
      ...["g - g.in:in", "g.in:in - g.in:in.y", "g.in:in - g.in:in.z", "c - finish"],
      ...["g.in:in.y - g.in:in/end", "g.in:in.z - g.in:in/end", "g.in:in/end - g/end"],
    ];
    expect(edgesOf(await graph.getGraphAsync({ xray: true }))).toEqual(whole.toSorted());
  });

  it("A nested pipe is a subgraph, and a list has one node for all its items.", async () => {
    const { graph } = await open([NESTED, LIST, say("c")]);
    const expected = [
      ...["begin - n:begin", "n:begin - n:p", "n:p when n:q"],
      ...["n:q - e", "n:q failed finish"],
      ...["e - e.item", "e.item - e/end", "e/end - c", "e/end failed finish", "c - finish"],
    ];
    expect(edgesOf(await graph.getGraphAsync({ xray: true }))).toEqual(expected.toSorted());
  });
});

describe("the graph of a pipe, as it runs", () => {
  it("Updates name the steps, those of a nested pipe in its namespace.", async () => {
    const { graph, config } = await open([say("a"), GROUP, NESTED, LIST]);
    const options = { ...config, streamMode: "updates", subgraphs: true } as const;
    const seen: string[] = [];
    for await (const [ns, update] of await graph.stream({}, options)) {
      const around = ns.map((name) => name.split(":")[0]);
      seen.push([...around, ...Object.keys(update)].join("|"));
    }
    const inside = ["g.in|in", "g.in|in.y", "g.in|in.z", "g.in|in/end", "n|begin", "n|p", "n|q"];
    const own = ["begin", "a", "g", "g.x", "g.in", "g/end", "n", "e", "e.item", "e.item", "e/end"];
    expect(seen.toSorted()).toEqual([...own, ...inside, "finish"].toSorted());
  });

  it("It stops before and after a step by its id, and continues.", async () => {
    const { graph, web, config } = await open([say("a"), GROUP, say("c")]);
    await graph.invoke(
      {},
      { ...config, interruptBefore: ["g.x"] as never, interruptAfter: ["a"] as never },
    );
    expect(said(web)).toEqual(["a"]);
    expect((await graph.getState(config)).next).toEqual(["g"]);
    await graph.invoke(null, { ...config, interruptBefore: ["g.x"] as never });
    expect(said(web)).toEqual(["a"]);
    expect((await graph.getState(config)).next).toEqual(["g.x", "g.in"]);
    expect(await graph.invoke(null, config)).toMatchObject({ ok: true });
    expect(said(web)).toEqual(["a", "x", "y", "z", "c"]);
  });

  it("Ids that mean something to LangGraph can name steps, too.", async () => {
    const ids = ["begin", "finish", "result", "step_result", "toString", "__end__", "out_run"];
    const odd = ["run", "a/end", "a.b", "a", "日本", "x y", "_x20_", "constructor.", "at"];
    const { graph, web } = await open([...ids, ...odd].map((id) => say(id)));
    const { ok, steps } = await graph.invoke({}, { configurable: { thread_id: "2" } });
    expect([ok, Object.keys(steps)]).toEqual([true, [...ids, ...odd]]);
    expect(said(web)).toEqual([...ids, ...odd]);
  });
});

describe("the JSON of a text, in a compiled pipe", () => {
  it("is read as without LangGraph: by references, conditions, loops and expressions.", async () => {
    const { host } = await openPipeHost({ echo });
    const spec = {
      steps: [
        say("a", { rows: [1, 2] }),
        {
          id: "e",
          when: "size(last.json.v.rows) == 2",
          for_each: { $ref: "steps.a.json.v.rows" },
          as: "row",
          do: { tool: "echo", args: { v: "${row}" } },
        },
        say("b", { $cel: "steps.e.items.map(i, json(i.text).v + i.json.v)" }),
      ],
      return: { list: { $ref: "steps.b.json.v" }, text: "${steps.a.json.v.rows}" },
    };
    const result = { list: ["11", "22"], text: "[1,2]" };
    expect(await runPipe(host, { flow: flow(), spec })).toMatchObject({ ok: true, result });
    const graph = compilePipe(host, { flow: flow(), spec });
    expect(await graph.invoke({})).toMatchObject({ ok: true, result });
  });
});
