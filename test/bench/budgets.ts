/** A measured ratio beside the most it may be. */
export interface BudgetRow {
  readonly what: string;
  readonly measured: number;
  readonly budget: number;
  readonly unit?: string;
}

/** A table of what was measured, what it may be, and whether it is. */
export function budgetTable(rows: readonly BudgetRow[]): string {
  const lines = rows.map(({ what, measured, budget, unit = "x" }) => {
    const verdict = measured <= budget ? "ok" : "OVER";
    const figures = `${measured.toPrecision(3)}${unit}`.padStart(10);
    return `${what.padEnd(56)}${figures}   budget ${budget}${unit}   ${verdict}`;
  });
  return ["", ...lines, ""].join("\n");
}
