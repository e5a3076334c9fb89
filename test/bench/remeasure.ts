import { isOver, type Row } from "./row.ts";

/** How often a place is measured at most. */
const MOST = 3;

/**
 * Measures a place again while a figure is over its budget that a tenth of its rounds keep: what else the machine does can
 * make a figure greater, and hardly smaller. The lowest figure of each row counts.
 */
export async function remeasure(measure: () => Promise<readonly Row[]>): Promise<readonly Row[]> {
  let rows = await measure();
  for (let times = 1; times < MOST && rows.some(isUnclear); times++) {
    const again = await measure();
    rows = rows.map((row, at) => lower(row, again[at]));
  }
  return rows;
}

function isUnclear(row: Row): boolean {
  const { budget = 0, low = Number.POSITIVE_INFINITY } = row;
  return isOver(row) && low <= budget;
}

function lower(row: Row, again: Row | undefined): Row {
  return again && again.value < row.value ? again : row;
}
