import type { Check } from "./check.ts";
import { checks } from "./checks.ts";
import type { Capabilities, Harness } from "./harness.ts";
import { createMemoryServer } from "./memory-server.ts";
import { requirements } from "./requirements.ts";
import { type OpenScenario, type ServeTools, withScenarios } from "./scenario.ts";

/** The two required functions of a test runner, as in vitest, jest, mocha, `bun:test` or `node:test`. */
export interface TestRunner {
  /** Opens a group of tests. */
  describe(name: string, define: () => void): unknown;
  /** Defines a test. `skip` defines one that does not run. */
  readonly it: {
    (title: string, test: () => Promise<void>): unknown;
    skip(title: string, test: () => Promise<void>): unknown;
  };
}

/** The test runner, and the server of a check's tools. */
export interface ConformanceOptions extends TestRunner {
  /** Serves the tools of a check, for example over a transport. Default: `createMemoryServer`. */
  readonly serve?: ServeTools;
}

/**
 * Defines a test for each requirement of the harness's capabilities. Skips those from which it is exempt, with the reason in the
 * title. Throws if a harness has no capability, or is exempt from something that is not required of it.
 */
export function runConformance(harness: Harness, options: ConformanceOptions): void {
  const { describe, it, serve = createMemoryServer } = options;
  const exempt: Readonly<Record<string, string>> = harness.exempt ?? {};
  const required = requirements.filter(({ capability }) => harness[capability] !== undefined);
  if (required.length === 0) throw new Error(`The harness "${harness.name}" has no capability.`);
  for (const id of Object.keys(exempt)) {
    if (required.some((requirement) => requirement.id === id)) continue;
    throw new Error(`The harness "${harness.name}" is exempt from ${id}, which is no requirement.`);
  }
  describe(harness.name, () => {
    for (const requirement of required) {
      const { id, behaviour, capability } = requirement;
      const test = () =>
        withScenarios(serve, (open) => verify({ harness, open }, { id, capability }));
      if (Object.hasOwn(exempt, id)) it.skip(`${behaviour} (${id}) Exempt: ${exempt[id]}`, test);
      else it(`${behaviour} (${id})`, test);
    }
  });
}

async function verify<Capability extends keyof Capabilities>(
  { harness, open }: { readonly harness: Partial<Capabilities>; readonly open: OpenScenario },
  { id, capability }: { readonly id: string; readonly capability: Capability },
): Promise<void> {
  const run: Capabilities[Capability] | undefined = harness[capability];
  const known: Readonly<Record<string, Check<Capability>>> = checks[capability];
  const check = known[id];
  if (!run || !check) throw new Error(`The requirement ${id} has no check.`);
  await check(run, open);
}
