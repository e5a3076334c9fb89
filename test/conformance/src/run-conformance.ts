import { checks } from "./checks.ts";
import type { Capabilities, Harness } from "./harness.ts";
import { createMemoryServer } from "./memory-server.ts";
import { requirements } from "./requirements.ts";
import { type Check, type OpenScenario, type ServeTools, withScenarios } from "./scenario.ts";

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

/** The capabilities of an adapter. One that it leaves out is skipped as a whole, with the reason. */
const OF_ADAPTERS = ["chain", "pipe", "guard"] as const;

/**
 * Defines a test for each requirement of the harness's capabilities. Skips those from which it is exempt, and the capabilities that
 * an adapter leaves out, with the reason in the title. Throws if a harness has no capability, leaves one out without a reason, or
 * is exempt from something that is not required of it.
 */
export function runConformance(harness: Harness, options: ConformanceOptions): void {
  const { describe, it, serve = createMemoryServer } = options;
  const { name } = harness;
  const exempt: Readonly<Record<string, string>> = harness.exempt ?? {};
  const required = requirements.filter(({ capability }) => harness[capability] !== undefined);
  if (required.length === 0) throw new Error(`The harness "${name}" has no capability.`);
  const isAdapter = OF_ADAPTERS.some((capability) => harness[capability] !== undefined);
  const leftOut = OF_ADAPTERS.filter((capability) => isAdapter && !harness[capability]);
  for (const capability of leftOut) {
    if (exempt[capability]) continue;
    throw new Error(`The harness "${name}" has no ${capability}: say why in \`exempt\`.`);
  }
  const known = new Set<string>([...required.map(({ id }) => id), ...leftOut]);
  const unknown = Object.keys(exempt).find((id) => !known.has(id));
  if (unknown !== undefined) {
    throw new Error(`The harness "${name}" is exempt from ${unknown}, which is no requirement.`);
  }
  describe(name, () => {
    for (const { id, behaviour, capability } of required) {
      const test = () =>
        withScenarios(serve, (open) => verify({ harness, open }, { id, capability }));
      if (Object.hasOwn(exempt, id)) it.skip(`${behaviour} (${id}) Exempt: ${exempt[id]}`, test);
      else it(`${behaviour} (${id})`, test);
    }
    for (const capability of leftOut) {
      const count = requirements.filter((one) => one.capability === capability).length;
      const title = `All ${count} requirements of ${capability}. Exempt: ${exempt[capability]}`;
      it.skip(title, async () => {});
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
