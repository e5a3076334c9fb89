import type { Row } from "../row.ts";

/** What is drawn as one line: the rows of a name, and of all others that come to the same. */
export interface Line {
  readonly names: readonly string[];
  readonly rows: readonly Row[];
}

export function linesOf(rows: readonly Row[]): Line[] {
  const groups = [...Map.groupBy(rows, ({ who }) => who)];
  const same = Map.groupBy(groups, ([, members]) =>
    members.map(({ at, value }) => `${at} ${value}`).join(),
  );
  return [...same.values()].map((alike) => {
    return { names: alike.map(([who]) => who), rows: alike[0]?.[1] ?? [] };
  });
}
