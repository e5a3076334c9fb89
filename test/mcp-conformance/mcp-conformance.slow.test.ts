import { afterAll, describe, expect, it } from "vitest";
import { type Library, libraries, type Revision, throughToolrail } from "./clients.ts";
import { SCENARIOS, TIMED, UNSUPPORTED, WAITS_FOR_EVER } from "./differences.ts";
import { drive, type Scenario } from "./drive.ts";
import { runSuite, type Verdict } from "./run-suite.ts";

const table: string[] = [];
const runs = libraries.flatMap((library) =>
  library.revisions.map((revision) => ({ library, revision, name: library.name })),
);

describe("in the official conformance suite of MCP", () => {
  it.each(runs)(
    "a host over $name does what that client does alone, on MCP $revision",
    async ({ library, revision }) => {
      const [alone, through] = await Promise.all([
        runSuite(revision, (scenario) => play(library, { scenario, revision, isAlone: true })),
        runSuite(revision, (scenario) => play(library, { scenario, revision, isAlone: false })),
      ]);
      for (const scenario of UNSUPPORTED) alone.delete(scenario);
      expect([...alone.keys()]).toEqual(SCENARIOS[revision]);
      for (const [scenario, verdicts] of alone) {
        const ours = through.get(scenario) ?? [];
        const scores = [scoreOf(verdicts), scoreOf(ours)].map((score) => score.padStart(16));
        table.push(
          `${library.name.padEnd(12)} ${revision} ${scenario.padEnd(36)}${scores.join("")}`,
        );
        expect.soft(toLines(ours), scenario).toEqual(toLines(verdicts));
      }
    },
  );

  afterAll(() => {
    const heading = "client       revision   scenario".padEnd(60);
    console.log([`${heading}           alone through Toolrail`, ...table].join("\n"));
  });
});

interface Run {
  readonly scenario: Scenario;
  readonly revision: Revision;
  readonly isAlone: boolean;
}

async function play(library: Library, { scenario, revision, isAlone }: Run): Promise<void> {
  if (WAITS_FOR_EVER[library.name]?.includes(scenario.scenario)) return;
  const { client, alone } = await library.connect(scenario.url, revision);
  const caller = isAlone ? alone : await throughToolrail(client);
  await drive(caller, scenario);
  await caller.close();
}

/** What the suite found, point by point, without what it only notes. */
function toLines(verdicts: readonly Verdict[]): string[] {
  return judged(verdicts).map(({ status, id, name }) => `${status} ${id} ${name}`);
}

function scoreOf(verdicts: readonly Verdict[]): string {
  const counted = judged(verdicts);
  return `${counted.filter(({ status }) => status === "SUCCESS").length} of ${counted.length}`;
}

function judged(verdicts: readonly Verdict[]): Verdict[] {
  const scored = ["SUCCESS", "FAILURE", "WARNING"];
  return verdicts.filter(({ id, status }) => scored.includes(status) && !TIMED.includes(id));
}
