import type { Row } from "../row.ts";
import { figure } from "../table.ts";
import { colourOf, GRID, QUIET } from "./colours.ts";
import { type Line, linesOf } from "./lines.ts";
import { linear, logarithmic, powersAround, type Scale, stepsTo } from "./scale.ts";
import { dot, line, type Point, path, text } from "./svg.ts";

export interface Panel {
  readonly title: string;
  readonly about: string;
  /** Of several groups where they share a scale. */
  readonly rows: readonly Row[];
  readonly isLogarithmic?: boolean;
}

export const PANEL_WIDTH = 380;
export const PANEL_HEIGHT = 300;
const LEFT = 58;
/** Over the greatest figure: a spread that goes higher ends at the top. */
const ROOM = 1.2;
const PLOT = { top: 60, bottom: 186, width: 250 };

/** Lines over what grows: each name has one, with its spread at each place. */
export function drawPanel({ title, about, rows, isLogarithmic }: Panel, corner: Point): string[] {
  const places = [...new Set(rows.map(({ at }) => at))];
  const values = rows.map(({ value }) => value);
  const range = { from: corner.y + PLOT.bottom, to: corner.y + PLOT.top };
  const scale = isLogarithmic
    ? logarithmic({ ticks: powersAround(values, 10), ...range })
    : linear({ ticks: stepsTo(Math.max(...values) * ROOM), ...range });
  const xOf = (at: string) => {
    const step = PLOT.width / Math.max(1, places.length - 1);
    return corner.x + LEFT + 14 + places.indexOf(at) * step;
  };
  const lines = linesOf(rows);
  return [
    text({ x: corner.x + 12, y: corner.y + 24 }, title, { size: 14, bold: true }),
    text({ x: corner.x + 12, y: corner.y + 42 }, about, { size: 11, fill: QUIET }),
    ...gridOf(scale, { x: corner.x + LEFT, unit: rows[0]?.unit ?? "x" }),
    ...places.map((at) => {
      const place = { x: xOf(at), y: corner.y + PLOT.bottom + 16 };
      return text(place, at.split(" ", isMeasure(at) ? 2 : 1).join(" "), {
        ...{ size: 10, anchor: "middle", fill: QUIET },
      });
    }),
    ...lines.flatMap((one) => drawLine(one, { scale, xOf })),
    ...lines.map(({ names }, at) => {
      const place = { x: corner.x + LEFT, y: corner.y + PLOT.bottom + 36 + at * 15 };
      return text(place, `● ${names.join(", ")}`, { size: 11, fill: colourOf(names[0]) });
    }),
  ];
}

/** A size keeps its unit; what is counted is named beside the title. */
const isMeasure = (at: string) => /[KM]B$/.test(at);

function gridOf(scale: Scale, { x, unit }: { readonly x: number; readonly unit: Row["unit"] }) {
  return scale.ticks.flatMap((tick) => {
    const y = scale.place(tick);
    const colour = unit === "x" && tick === 1 ? QUIET : GRID;
    return [
      line({ x, y }, { x: x + PLOT.width + 28, y }, colour),
      text({ x: x - 6, y: y + 4 }, figure(tick, unit), { size: 10, anchor: "end", fill: QUIET }),
    ];
  });
}

interface Where {
  readonly scale: Scale;
  readonly xOf: (at: string) => number;
}

function drawLine({ names, rows }: Line, { scale, xOf }: Where): string[] {
  const colour = colourOf(names[0]);
  const points = rows.map(({ at, value }) => ({ x: xOf(at), y: scale.place(value) }));
  const spreads = rows.map(({ at, value, low = value, high = value }) => {
    const x = xOf(at);
    return line({ x, y: scale.place(low) }, { x, y: scale.place(high) }, colour);
  });
  return [...spreads, path(points, colour), ...points.map((point) => dot(point, colour))];
}
