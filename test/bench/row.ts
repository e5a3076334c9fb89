import { BUDGETS } from "./budgets.ts";
import type { Spread } from "./spread.ts";

export type Unit = "x" | "MB" | "calls" | "tokens";

/** One thing that was measured: in `group`, at a size or a number, of somebody. What is counted has no spread. */
export interface Row {
  readonly group: string;
  readonly at: string;
  readonly who: string;
  readonly unit: Unit;
  readonly value: number;
  readonly low?: number;
  readonly high?: number;
  /** The most that the figure may be. */
  readonly budget?: number;
}

export type Place = Pick<Row, "group" | "at" | "unit">;

/** The rows of a place, one for each name, with their budgets. */
export function rowsOf(place: Place, measured: Readonly<Record<string, Spread | number>>): Row[] {
  return Object.entries(measured).map(([who, value]) => {
    const figures = typeof value === "number" ? { value } : value;
    const budget = BUDGETS[place.group]?.[place.at]?.[who];
    return { ...place, who, ...figures, ...(budget !== undefined && { budget }) };
  });
}

export function isOver({ value, budget }: Row): boolean {
  return budget !== undefined && !(value <= budget);
}

const nameOf = ({ group, at, who }: Pick<Row, "group" | "at" | "who">) => `${group}, ${at}: ${who}`;

/** The rows that are over their budgets, and the budgets that nothing was measured for. */
export function missedBudgets(rows: readonly Row[]): string[] {
  const measured = new Set(rows.map(nameOf));
  const budgets = Object.entries(BUDGETS).flatMap(([group, places]) =>
    Object.entries(places).flatMap(([at, names]) =>
      Object.keys(names).map((who) => nameOf({ group, at, who })),
    ),
  );
  return [
    ...rows.filter(isOver).map((row) => `${nameOf(row)} is over its budget.`),
    ...budgets
      .filter((budget) => !measured.has(budget))
      .map((budget) => `${budget} was not measured.`),
  ];
}
