import type { Capabilities } from "./harness.ts";
import type { OpenScenario } from "./scenario.ts";

/** The test of one requirement, for any implementation of the capability. Rejects if it fails. */
export type Check<Capability extends keyof Capabilities> = (
  run: Capabilities[Capability],
  open: OpenScenario,
) => Promise<void>;
