import { existsSync } from "node:fs";
import { type Harness, requirements, runConformance } from "@toolrail/conformance";
import { describe, expect, it } from "vitest";
import { checks } from "../src/checks.ts";
import { chains } from "./core-harness.ts";

/** The tests that a run of a harness defines, by their titles; undefined where one is skipped. */
function testsOf(harness: Harness): Map<string, (() => Promise<void>) | undefined> {
  const tests = new Map<string, (() => Promise<void>) | undefined>();
  const define = (title: string, test: () => Promise<void>) => void tests.set(title, test);
  const skip = (title: string) => void tests.set(title, undefined);
  runConformance(harness, {
    describe: (_, run) => run(),
    it: Object.assign(define, { skip }),
  });
  return tests;
}

/** Runs the check of one requirement. */
async function verify(harness: Harness, id: string): Promise<void> {
  const [, test] = [...testsOf(harness)].find(([title]) => title.includes(`(${id})`)) ?? [];
  await test?.();
}

const { exempt, ...rest } = chains;
const { pipe, guard } = exempt;

/** The core, exempt from no requirement of chains. */
const strict: Harness = { ...rest, exempt: { pipe, guard } };

/** The core, whose outcomes are reported as `change` makes them. */
function reporting(change: object): Harness {
  return { ...strict, chain: async (input) => ({ ...(await chains.chain(input)), ...change }) };
}

const isGuide = (source: string) => source.startsWith("docs/");

describe("the requirements", () => {
  it("have one check each, and there is no check without a requirement", () => {
    const ids = Object.values(checks).flatMap((group) => Object.keys(group));
    expect(ids.sort()).toEqual(requirements.map(({ id }) => id).sort());
  });

  it("are whole sentences", () => {
    for (const { behaviour } of requirements) expect(behaviour).toMatch(/^[A-Z].*[^.]\.$/);
  });

  it("name guides that exist", () => {
    const guides = new Set(requirements.map(({ source }) => source).filter(isGuide));
    expect(guides.size).toBeGreaterThan(3);
    for (const guide of guides) {
      expect(existsSync(new URL(`../../../${guide}`, import.meta.url)), guide).toBe(true);
    }
  });
});

describe("a harness", () => {
  it("is tested for each requirement of its capabilities, and for no other", () => {
    const wanted = requirements.filter(({ capability }) => capability === "chain");
    const tests = [...testsOf(strict).values()].filter((test) => test !== undefined);
    expect(tests).toHaveLength(wanted.length);
  });

  it("that leaves out a capability says why, and has it skipped as a whole", () => {
    expect(() => testsOf({ ...rest, exempt: { pipe } })).toThrow(/has no guard: say why/);
    const skipped = [...testsOf(strict)].filter(([, test]) => test === undefined);
    expect(skipped.map(([title]) => title)).toEqual([
      expect.stringMatching(/^All \d+ requirements of pipe\. Exempt: Another function does that/),
      expect.stringMatching(/^All \d+ requirements of guard\. Exempt: Another function does that/),
    ]);
  });

  it("without a capability is refused", () => {
    expect(() => testsOf({ name: "x" })).toThrow(/has no capability/);
  });

  it("that is exempt from what nothing requires of it is refused", () => {
    const unknown = { "chain/unknown": "No reason." } as Harness["exempt"];
    for (const wrong of [unknown, { "pipe/long": "No reason." }]) {
      expect(() => testsOf({ ...rest, exempt: { pipe, guard, ...wrong } })).toThrow(
        /which is no requirement/,
      );
    }
  });

  it("skips what it is exempt from, and says why", () => {
    const skipped = [...testsOf(chains)].filter(([, test]) => test === undefined);
    expect(skipped).toHaveLength(Object.keys(exempt ?? {}).length);
    const reasons = skipped.map(([title]) => title.slice(title.indexOf(" Exempt: ") + 9));
    expect(reasons.toSorted()).toEqual(Object.values(exempt).toSorted());
  });

  it.each(["chain/edited", "chain/forged"])(
    "that does not report what %s needs fails, unless it is exempt",
    async (id) => {
      await expect(verify(strict, id)).rejects.toThrow(/The harness reports no/);
    },
  );

  it.each([
    ["chain/invokes", { ended: undefined }],
    ["chain/deterministic", { modelCalls: 3 }],
    ["chain/listener-once", { told: [] }],
    ["view/media", { modelRead: [] }],
  ])("that does not do what %s says fails", async (id, change) => {
    await expect(verify(reporting(change), id)).rejects.toThrow();
  });
});
