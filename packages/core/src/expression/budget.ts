/** What evaluating may still spend. Hand one to several evaluations, and they share it. */
export interface Budget {
  /** Steps: about one for each part of an expression each time it is evaluated. */
  steps: number;
  /** Characters of text that is made or given back. */
  text: number;
}

/** A fresh budget: 20,000 steps and 1,048,576 characters, a few milliseconds of work. */
export function createBudget(): Budget {
  return { steps: 20_000, text: 1_048_576 };
}

/** Takes steps. Throws a `RangeError`, which no operator of the language absorbs, where none are left. */
export function spendSteps(budget: Budget, steps: number): void {
  budget.steps -= steps;
  if (!(budget.steps >= 0)) throw new RangeError("it takes more than 20,000 steps; read less data");
}

/** Takes characters, before a text is made. Throws as `spendSteps`. */
export function spendText(budget: Budget, length: number): void {
  budget.text -= length;
  spendSteps(budget, length / 1_000);
  if (!(budget.text >= 0)) throw new RangeError("it makes more than 1 MiB of text; make less");
}
