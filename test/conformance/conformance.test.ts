import { readdirSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { chainChecks } from "./checks/chain.ts";
import { doorChecks } from "./checks/door.ts";
import { guardChecks } from "./checks/guard.ts";
import { nextToolChecks } from "./checks/next-tool.ts";
import { pipeChecks } from "./checks/pipe.ts";
import { pipeAudienceChecks } from "./checks/pipe-audience.ts";
import { pipeFailureChecks } from "./checks/pipe-failures.ts";
import { viewChecks } from "./checks/view.ts";
import type { Capabilities, Check, Harness } from "./harness.ts";
import { type Requirement, requirements } from "./requirements.ts";

// A new group of checks joins here.
const checks: {
  readonly [Capability in keyof Capabilities]: readonly Record<string, Check<Capability>>[];
} = {
  chain: [chainChecks, doorChecks, nextToolChecks, viewChecks],
  pipe: [pipeChecks, pipeAudienceChecks, pipeFailureChecks],
  guard: [guardChecks],
};

const harnesses = await Promise.all(
  readdirSync(new URL("./harnesses", import.meta.url))
    .filter((file) => file.endsWith(".ts"))
    .map(
      async (file): Promise<Harness> =>
        (await import(/* @vite-ignore */ `./harnesses/${file}`)).harness,
    ),
);

const wanted = requirements.map(({ capability, id }) => `${capability} ${id}`).sort();
const tested = Object.entries(checks)
  .flatMap(([capability, groups]) =>
    groups.flatMap((group) => Object.keys(group).map((id) => `${capability} ${id}`)),
  )
  .sort();

describe("the requirements", () => {
  it("have one check each, and there is no check without a requirement", () => {
    expect(tested).toEqual(wanted);
  });

  it("have ids of their own", () => {
    expect(new Set(wanted).size).toBe(wanted.length);
  });
});

describe.each(harnesses)("$name", (harness) => {
  it("names known requirements only, and has a capability", () => {
    const ids: readonly string[] = requirements.map(({ id }) => id);
    expect(ids).toEqual(expect.arrayContaining(Object.keys(harness.exempt ?? {})));
    expect(Boolean(harness.chain ?? harness.pipe ?? harness.guard)).toBe(true);
  });

  for (const requirement of requirements) defineTest(harness, requirement);
});

function defineTest(harness: Harness, { id, source, behaviour, capability }: Requirement): void {
  if (!harness[capability]) return;
  const exempt: Readonly<Record<string, string>> = harness.exempt ?? {};
  it(`${behaviour} (${id}, ${source})`, async ({ skip }) => {
    if (Object.hasOwn(exempt, id)) skip(exempt[id]);
    await verify(harness, capability, id);
  });
}

async function verify<Capability extends keyof Capabilities>(
  harness: Partial<Capabilities>,
  capability: Capability,
  id: string,
): Promise<void> {
  const run: Capabilities[Capability] | undefined = harness[capability];
  const check = checks[capability].find((group) => Object.hasOwn(group, id))?.[id];
  if (!run || !check) throw new Error(`There is no check of ${id}.`);
  await check(run);
}
