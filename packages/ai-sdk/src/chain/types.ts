import type { Host } from "@toolrail/core";
import type { PrepareStep } from "../run-settings.ts";
import type { DeferredTools } from "../tools/deferral.ts";
import type { TypedNames } from "../tools/typed-tools.ts";
import type { ToolsOptions } from "../tools/types.ts";
import type { PendingHops } from "./pending-hops.ts";

/** The options of `withChaining`. Hops also reach tools that `tools` does not offer to the model. */
export interface ChainingOptions
  extends Pick<
    ToolsOptions,
    "tools" | "defer" | "onHop" | "conversation" | "userText" | "context" | "onAsk" | "changes"
  > {
  /** The tools whose types the SDK and its pages know, as for `createTools`. Default: none. */
  readonly typed?: TypedNames | undefined;
  /** If true, the model reads each chain as one call, since some providers reject separate hops. Default: true. */
  readonly fold?: boolean;
  /** The tool `mcp_pipe`, from `chainedPipes()` of `@toolrail/ai-sdk/pipe`. Default: none. */
  readonly pipe?: ChainedPipes | undefined;
  /** If true, a run whose results were all for the user ends without a last model call. Default: true. */
  readonly endWhenShown?: boolean;
}

/** The tool `mcp_pipe` for chains. It is separate, so that chains without pipes do not load the package of pipes. */
export interface ChainedPipes {
  /** Creates the tool for one `withChaining`. Steps that wait for a person become calls of that chain. */
  createTools(parts: ChainParts): Readonly<Record<string, unknown>>;
}

export interface ChainParts extends ChainingOptions {
  readonly host: Host;
  readonly pendingHops: PendingHops;
  /** Absent if no tool is deferred. */
  readonly deferral: DeferredTools | undefined;
  /** False if a tool of the caller has the name `ask_user`. A call whose server asks the user then ends. */
  readonly canAsk: boolean;
}

export interface ChainedRun extends ChainParts {
  readonly prepareStep: PrepareStep | undefined;
  /** Adds the tools that servers have listed or changed to the run's tools, which the SDK reads for each step. */
  addTools(): Promise<void>;
  /** Adds the active tools to the settings of a step, with the deferred tools that the step calls. */
  readonly activate: DeferredTools["activate"];
  /** Filters the names of tools that a model may see. Default: all active tools. */
  visible(names?: readonly string[]): readonly string[];
}
