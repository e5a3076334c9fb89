import type { Host } from "@toolrail/core";
import type { PrepareStep } from "../run-settings.ts";
import type { DeferredTools } from "../tools/deferral.ts";
import type { TypedNames } from "../tools/typed-tools.ts";
import type { ToolsOptions } from "../tools/types.ts";
import type { PendingHops } from "./pending-hops.ts";

/** How `withChaining` chains. Hops reach also those tools that `tools` does not offer the model. */
export interface ChainingOptions
  extends Pick<
    ToolsOptions,
    "tools" | "defer" | "onHop" | "conversation" | "userText" | "context" | "onAsk" | "changes"
  > {
  /** As for `createTools`: the types for a page are those of its result. */
  readonly typed?: TypedNames | undefined;
  /** True shows a real model each chain as one call with all its results; some providers refuse more. Default true. */
  readonly fold?: boolean;
  /** Offers `mcp_pipe`, as `chainedPipes()` of `@toolrail/ai-sdk/pipe` makes it. Default: no pipes. */
  readonly pipe?: ChainedPipes | undefined;
  /** Ends the run without a last model call where everything was for the user. Default true. */
  readonly endWhenShown?: boolean;
}

/** The tool `mcp_pipe` for chains. It brings the package of pipes with it, so that chains without pipes load none of it. */
export interface ChainedPipes {
  /** Creates the tool for one `withChaining`. Steps that wait for a person become calls of that chain. */
  createTools(parts: ChainParts): Readonly<Record<string, unknown>>;
}

/** The parts that all tools of one `withChaining` share. */
export interface ChainParts extends ChainingOptions {
  readonly host: Host;
  readonly pendingHops: PendingHops;
  /** Absent if no tool is deferred. */
  readonly deferral: DeferredTools | undefined;
  /** False where a tool of another has the name `ask_user`: a call whose server asks the user then ends. */
  readonly canAsk: boolean;
}

/** One run of the SDK under `withChaining`. */
export interface ChainedRun extends ChainParts {
  /** The caller's own. */
  readonly prepareStep: PrepareStep | undefined;
  /** Takes what servers have listed or changed since into the run's tools, which the SDK reads for each step. */
  addTools(): Promise<void>;
  /** Adds the active tools to the settings of a step, with those that are reached though they are deferred. */
  readonly activate: DeferredTools["activate"];
  /** Those of the names that a model may see. Default: of all that are active. */
  visible(names?: readonly string[]): readonly string[];
}
