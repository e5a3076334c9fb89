import { crash, type Outcome } from "./crash.ts";
import type { CrashPoint } from "./life.ts";
import { WAYS } from "./ways.ts";

const KINDS: readonly CrashPoint["at"][] = ["before a write", "after a write", "during a call"];

/** Kills each way at each of its points. The table is Markdown. */
export async function measure(): Promise<readonly string[]> {
  const titles = [
    "the three calls as",
    "points",
    "a call made twice",
    "a call missing",
    "a person asked",
  ];
  const rows: string[][] = [titles, titles.map(() => "---")];
  for (const [name, way] of Object.entries(WAYS)) {
    const outcomes: Outcome[] = [];
    for (const at of KINDS) {
      for (let nth = 1; ; nth++) {
        const outcome = await crash(way, { at, nth });
        if (!outcome.hasDied) break;
        outcomes.push(outcome);
      }
    }
    const count = (is: (outcome: Outcome) => boolean) => String(outcomes.filter(is).length);
    rows.push([
      name,
      String(outcomes.length),
      count(({ twice }) => twice.length > 0),
      count(({ missing }) => missing.length > 0),
      count(({ asked }) => asked),
    ]);
  }
  return rows.map((cells) => `| ${cells.join(" | ")} |`);
}
