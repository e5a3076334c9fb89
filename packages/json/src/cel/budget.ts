/** What evaluation may still spend. Several evaluations may share one. */
export interface Budget {
  /** Steps: about one for each evaluation of a part of an expression. */
  steps: number;
  /** Characters of text produced or returned. */
  text: number;
}

/** A fresh budget: 20,000 steps and 1,048,576 characters, a few milliseconds of work. */
export function createBudget(): Budget {
  return { steps: 20_000, text: 1_048_576 };
}

/** Spends steps. Throws a `RangeError`, which no operator of the language absorbs, if none are left. */
export function spendSteps(budget: Budget, steps: number): void {
  budget.steps -= steps;
  if (!(budget.steps >= 0)) throw new RangeError("it takes more than 20,000 steps; read less data");
}

/** Spends characters, before a text is produced. Throws like `spendSteps`. */
export function spendText(budget: Budget, length: number): void {
  budget.text -= length;
  spendSteps(budget, length / 1_000);
  if (!(budget.text >= 0))
    throw new RangeError("it produces more than 1 MiB of text; produce less");
}
