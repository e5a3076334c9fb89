import type { Host } from "@toolrail/core";
import type { PrepareStep } from "../run-settings.ts";
import type { ChainingOptions } from "./chaining-settings.ts";
import type { HopTickets } from "./hop-tickets.ts";

/** The parts that all tools of one `withChaining` share. */
export interface ChainParts extends ChainingOptions {
  readonly host: Host;
  readonly tickets: HopTickets;
  /** False where a tool of another has the name `ask_user`: a call whose server asks the user then ends. */
  readonly canAsk: boolean;
}

/** One run of the SDK under `withChaining`. */
export interface ChainedRun extends ChainParts {
  /** The caller's own. */
  readonly prepareStep: PrepareStep | undefined;
  /** Takes what servers have listed or changed since into the run's tools, which the SDK reads for each step. */
  addTools(): Promise<void>;
  /** Those of the names that a model may see. Default: of all that are active. */
  visible(names?: readonly string[]): readonly string[];
}
