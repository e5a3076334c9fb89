import { AI_SDK, AI_SDK_MCP, BY_HAND, HOST, LANGGRAPH, MCP_ADAPTERS, OVER_RAW } from "../names.ts";
import type { Row } from "../row.ts";
import { figure } from "../table.ts";
import { colourOf, GRID, QUIET } from "./colours.ts";
import { logarithmic, powersAround, type Scale } from "./scale.ts";
import { dot, line, picture, text } from "./svg.ts";

const WIDTH = 780;
const LEFT = 170;
const PANEL = 205;
const TOP = 74;
const ROW = 17;
const NAMES = [HOST, LANGGRAPH, MCP_ADAPTERS, AI_SDK, BY_HAND, AI_SDK_MCP];
const SIZES = ["1 KB", "100 KB", "1 MB"];

/** One call by all that can make it: a column for each transport, a dot for each figure, a line from 10 to 90%. */
export function drawCalls(rows: readonly Row[]): string {
  const columns = Object.entries(OVER_RAW).map(([transport, group]) => {
    const where = transport === "memory" ? "in memory" : `over ${transport}`;
    const isDrawn = (row: Row) => row.group === group && NAMES.includes(row.who);
    return { where, rows: rows.filter(isDrawn) };
  });
  const ticks = powersAround(
    columns.flatMap((column) => column.rows.map(({ value }) => value)),
    2,
  );
  const height = TOP + SIZES.length * (NAMES.length * ROW + 26) + 24;
  const parts = [
    text({ x: 12, y: 24 }, "One call, beside the MCP SDK's own callTool", { size: 15, bold: true }),
    text(
      { x: 12, y: 42 },
      "times as long, up to what a model reads; dots are the median of all rounds, lines go from 10 to 90% of all",
      { fill: QUIET },
    ),
    ...SIZES.flatMap((size, block) => namesOf(size, topOf(block))),
  ];
  columns.forEach((column, at) => {
    const from = LEFT + at * PANEL;
    const scale = logarithmic({ ticks, from, to: from + PANEL - 70 });
    parts.push(text({ x: from, y: TOP - 12 }, column.where, { bold: true }));
    parts.push(...gridOf(scale, height));
    SIZES.forEach((size, block) => {
      const members = column.rows.filter((row) => row.at === size);
      parts.push(...dotsOf(members, { scale, top: topOf(block), end: from + PANEL - 62 }));
    });
  });
  return picture("How long one call takes beside the MCP SDK's own", [WIDTH, height], parts);
}

const topOf = (block: number) => TOP + 22 + block * (NAMES.length * ROW + 26);

function namesOf(size: string, top: number): string[] {
  return [
    text({ x: 12, y: top - 4 }, size, { bold: true }),
    ...NAMES.map((who, at) => {
      const place = { x: LEFT - 12, y: top + at * ROW + 12 };
      return text(place, who, { size: 11, anchor: "end", fill: colourOf(who) });
    }),
  ];
}

function gridOf(scale: Scale, height: number): string[] {
  return scale.ticks.flatMap((tick) => {
    const x = scale.place(tick);
    const colour = tick === 1 ? QUIET : GRID;
    return [
      line({ x, y: TOP }, { x, y: height - 24 }, colour),
      text({ x, y: height - 9 }, `${tick}x`, { size: 10, anchor: "middle", fill: QUIET }),
    ];
  });
}

interface Dots {
  readonly scale: Scale;
  readonly top: number;
  readonly end: number;
}

function dotsOf(rows: readonly Row[], { scale, top, end }: Dots): string[] {
  return rows.flatMap(({ who, value, low = value, high = value }) => {
    const y = top + NAMES.indexOf(who) * ROW + 8;
    const colour = colourOf(who);
    return [
      line({ x: scale.place(low), y }, { x: scale.place(high), y }, colour, 2),
      dot({ x: scale.place(value), y }, colour),
      text({ x: end, y: y + 4 }, figure(value, "x"), { size: 11, fill: colour }),
    ];
  });
}
