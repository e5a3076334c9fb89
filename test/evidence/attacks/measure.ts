import { ATTACKS, type Attack, HONEST } from "./attacks.ts";
import { PROTECTIONS, type Protection, runAttack } from "./run-attack.ts";

const protections = Object.keys(PROTECTIONS) as readonly Protection[];

/** Runs each attack and each wish under each protection. The tables are Markdown. */
export async function measure() {
  const reasons = new Map<string, string>();
  const table = async (title: string, cases: readonly Attack[]) => {
    const rows: string[] = [];
    for (const one of cases) {
      const cells: string[] = [];
      for (const protection of protections) {
        const { outcome, reason } = await runAttack(one, protection);
        cells.push(outcome);
        if (protection === "`askUnlessFrom`" && reason) reasons.set(one.name, reason);
      }
      rows.push(`| ${[one.name, ...cells].join(" | ")} |`);
    }
    const line = ["---", ...protections.map(() => "---")].join(" | ");
    return [`| ${[title, ...protections].join(" | ")} |`, `| ${line} |`, ...rows];
  };
  return {
    attacks: await table("attack", ATTACKS),
    honest: await table("wish", HONEST),
    reasons,
  };
}
