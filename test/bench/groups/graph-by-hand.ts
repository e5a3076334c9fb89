import { Annotation, END, START, StateGraph } from "@langchain/langgraph";
import type { Host } from "@toolrail/core";

type State = Readonly<Record<string, unknown>>;

/** A `StateGraph` whose nodes are named while it is built. */
interface OpenGraph {
  addNode(name: string, node: (state: State) => unknown): void;
  addEdge(from: string, to: string): void;
  addConditionalEdges(from: string, route: (state: State) => string, to: string[]): void;
  compile(): { invoke(input: object, config?: object): Promise<unknown> };
}

/** One node and one channel a step, the node before decides whether to go on, and a node for the end. */
export function buildByHand(host: Host, steps: number) {
  const ids = Array.from({ length: steps }, (_, at) => `s${at}`);
  const channels = Object.fromEntries(ids.map((id) => [id, Annotation<unknown>]));
  const graph = new StateGraph(
    Annotation.Root({ ...channels, result: Annotation<unknown> }),
  ) as unknown as OpenGraph;
  ids.forEach((id, at) => {
    const next = at + 1 < steps ? `n${at + 1}` : "end";
    graph.addNode(`n${at}`, async (state) => {
      const before = state[`s${at - 1}`] as { structured: { v: unknown } } | undefined;
      const v = before?.structured.v ?? "x";
      const { hops, ended } = await host.run({ tool: "web.echo", arguments: { v } });
      const structured = hops[0]?.result.structuredContent;
      return { [id]: { ok: ended === "complete", structured, hops } };
    });
    graph.addConditionalEdges(
      `n${at}`,
      (state) => ((state[id] as { ok: boolean }).ok ? next : "end"),
      [...new Set([next, "end"])],
    );
  });
  graph.addNode("end", (state) => ({ result: state[`s${steps - 1}`] }));
  graph.addEdge(START, "n0");
  graph.addEdge("end", END);
  return graph.compile();
}
