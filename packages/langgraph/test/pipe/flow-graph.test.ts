import { runPipe } from "@toolrail/core/pipe";
import { flow } from "@toolrail/core/pipe/flow";
import { describe, expect, it } from "vitest";
import { compilePipe } from "../../src/index.ts";
import { echo, openPipeHost, say } from "./pipe-scenario.ts";

const STEPS = [
  say("a"),
  { ...say("b"), when: "steps.a.ok" },
  { id: "e", for_each: [1], do: { tool: "echo" } },
  say("c", "${steps.b.text} ${steps.e.items}"),
  { id: "n", pipe: { steps: [say("y"), say("z", "${steps.y.text}")] } },
  {
    id: "m",
    pipe: { steps: [say("p"), { ...say("q"), when: "steps.p.ok" }], continue_on_error: true },
  },
];

/** The edges of the picture, with a mark on those that depend on something. */
async function edgesOf(spec: object): Promise<string[]> {
  const { host } = await openPipeHost({ echo });
  const { edges } = await compilePipe(host, { flow: flow(), spec }).getGraphAsync({ xray: true });
  return edges.map(({ source, target, data, conditional }) => {
    return `${source} ${data ?? (conditional ? "?" : "-")} ${target}`;
  });
}

describe("the picture that LangGraph draws of a pipe", () => {
  it("It shows conditions, and the node of all items with its way back.", async () => {
    const edges = await edgesOf({ steps: STEPS });
    expect(edges).toEqual(
      expect.arrayContaining([
        "step_a when step_b",
        "step_e ? item_e",
        "item_e - step_e",
        "step_e ? step_c",
      ]),
    );
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
