import { OVER_PEER, OVER_RAW } from "./names.ts";
import { isOver, type Row, type Unit } from "./row.ts";

/** The cells of a row: what, its figure, a tenth and nine tenths of the rounds, its budget, and whether it is kept. */
function cellsOf(row: Row): readonly string[] {
  const { at, who, unit, value, low, high, budget } = row;
  return [
    `${at}: ${who}`,
    figure(value, unit),
    low === undefined || high === undefined ? "" : `${number(low)} to ${number(high)}`,
    budget === undefined ? "" : figure(budget, unit),
    budget === undefined ? "" : isOver(row) ? "OVER" : "ok",
  ];
}

const HEAD = ["", "figure", "10 to 90%", "budget", ""];
const WIDTHS = [56, 14, 18, 14, 6];

/** All rows as text, under the names of their groups. */
export function toTable(rows: readonly Row[]): string {
  const line = ([what = "", ...figures]: readonly string[]) => {
    const columns = figures.map((cell, at) => cell.padStart(WIDTHS[at + 1] ?? 0));
    return `  ${what.padEnd(WIDTHS[0] ?? 0)}${columns.join("")}`.trimEnd();
  };
  const groups = [...Map.groupBy(rows, ({ group }) => group)];
  const blocks = groups.map(([group, members]) =>
    [group, ...members.map((row) => line(cellsOf(row)))].join("\n"),
  );
  return [line(HEAD), ...blocks].join("\n\n");
}

/** The groups on the page: what a call costs beside what one would use instead. The plots show the others. */
const ON_PAGE: readonly string[] = [OVER_RAW.memory, OVER_PEER.memory, OVER_PEER.stdio];

/** The rows of the page that have a budget, as tables of Markdown under the names of their groups. */
export function toMarkdown(rows: readonly Row[]): string {
  const groups = Map.groupBy(
    rows.filter(({ group, budget }) => budget !== undefined && ON_PAGE.includes(group)),
    ({ group }) => group,
  );
  const tables = [...groups].map(([group, members]) => toMarkdownTable(group, members));
  return tables.join("\n\n");
}

function toMarkdownTable(group: string, rows: readonly Row[]): string {
  const cells = [
    [group, "figure", "10 to 90%", "budget"],
    ...rows.map((row) => {
      const [what = "", value = "", spread = "", budget = ""] = cellsOf(row);
      return [what, value, spread, isOver(row) ? `${budget}, OVER` : budget];
    }),
  ];
  const widths = [0, 1, 2, 3].map((at) => {
    return Math.max(3, ...cells.map((line) => line[at]?.length ?? 0));
  });
  const line = (columns: readonly string[]) =>
    `| ${columns.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(" | ")} |`;
  const [head = [], ...body] = cells;
  return [line(head), line(widths.map((width) => "-".repeat(width))), ...body.map(line)].join("\n");
}

export function figure(value: number, unit: Unit): string {
  if (unit === "calls") return number(value);
  return unit === "x" ? `${number(value)}x` : `${number(value)} ${unit}`;
}

/** Three digits are as much as such a measurement tells. */
function number(value: number): string {
  if (Math.abs(value) >= 1_000) return Math.round(value).toLocaleString("en");
  return String(Number(value.toPrecision(3)));
}
