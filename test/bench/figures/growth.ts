import * as names from "../names.ts";
import type { Row } from "../row.ts";
import { drawPanel, PANEL_HEIGHT, PANEL_WIDTH, type Panel } from "./panel.ts";
import { picture } from "./svg.ts";

/** What grows with chains, pipes, lists of tools and results: four panels. */
export function drawGrowth(rows: readonly Row[]): string {
  const of = (...groups: readonly string[]) => rows.filter(({ group }) => groups.includes(group));
  const panels: readonly Panel[] = [
    {
      title: "How often a model is asked",
      about: "by the calls of a chain: followed by the host, or relayed",
      rows: of(names.MODEL_CALLS),
    },
    {
      title: "A pipe, beside its steps by hand",
      about: "by steps: beside awaits, and beside a graph of LangGraph",
      rows: of(names.PIPE, names.GRAPH).filter(({ unit }) => unit === "x"),
    },
    {
      title: "Listing tools, beside the MCP SDK's listTools",
      about: "by tools, each with an output schema",
      rows: of(names.LISTS).filter(({ unit }) => unit === "x"),
      isLogarithmic: true,
    },
    {
      title: "What a text adds to a checkpoint of LangGraph",
      about: "by its size, times its own bytes",
      rows: of(names.CHECKPOINT),
      isLogarithmic: true,
    },
  ];
  const parts = panels.flatMap((panel, at) => {
    const corner = { x: (at % 2) * PANEL_WIDTH, y: Math.floor(at / 2) * PANEL_HEIGHT };
    return drawPanel(panel, corner);
  });
  const size: [number, number] = [PANEL_WIDTH * 2, PANEL_HEIGHT * 2];
  return picture("What grows with chains, pipes, lists of tools and results", size, parts);
}
