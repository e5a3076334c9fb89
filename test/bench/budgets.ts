/** A measured ratio beside the most it may be. */
export interface BudgetRow {
  readonly what: string;
  readonly measured: number;
  readonly budget: number;
  readonly unit?: string;
}

/** Prints what was measured beside what it may be. Throws where a budget is exceeded, so that the run fails. */
export function reportBudgets(rows: readonly BudgetRow[]): void {
  const lines = rows.map(({ what, measured, budget, unit = "x" }) => {
    const verdict = measured <= budget ? "ok" : "OVER";
    const figures = `${measured.toPrecision(3)}${unit}`.padStart(10);
    return `${what.padEnd(56)}${figures}   budget ${budget}${unit}   ${verdict}`;
  });
  console.log(["", ...lines, ""].join("\n"));
  const over = rows.filter(({ measured, budget }) => !(measured <= budget));
  if (over.length > 0) throw new Error(`Over budget: ${over.map(({ what }) => what).join("; ")}.`);
}
