import type { PipeToolListeners, PipeToolSettings } from "@toolrail/core/pipe";
import type { ComposedSettings, PrepareStep, RunSettings } from "../run-settings.ts";
import type { ToolsOptions } from "../tools/create-tools.ts";
import type { TypedNames } from "../tools/typed-tools.ts";
import type { ChainedTool } from "./chained-tool.ts";

/** How `withChaining` chains. Hops reach also those tools that `tools` does not offer the model. */
export interface ChainingOptions
  extends Pick<ToolsOptions, "tools" | "onHop" | "scope" | "userText" | "context" | "onAsk"> {
  /** As for `createTools`: the types for a page are those of its result. */
  readonly typed?: TypedNames | undefined;
  /** True shows a real model each chain as one call with all its results; some providers refuse more. Default true. */
  readonly fold?: boolean;
  /**
   * The conversation, or the user: an id that no other has. Hops that wait are kept for it, and for no other to take;
   * when it has more than `limits.maxScopeBytes`, its own oldest go. Default: all runs share one memory.
   */
  readonly scope?: string | undefined;
  /**
   * Offers `mcp_pipe` as `createPipeTool` does; `{}` takes its defaults. A step that needs a person becomes a call with an
   * approval, or a question, of its own, and the pipe goes on with the answers. Default: no pipes.
   */
  readonly pipe?: (PipeToolSettings & PipeToolListeners) | undefined;
  /** Ends the run without a last model call where everything was for the user. Default true. */
  readonly endWhenShown?: boolean;
}

/** Settings of `generateText`, `streamText` or `ToolLoopAgent`; those that are not named here pass. */
export interface ChainableSettings extends RunSettings {
  /** Another name of `activeTools` in `ai` 6. */
  readonly experimental_activeTools?: readonly string[] | undefined;
  /** Another name of `prepareStep` in `ai` 6. */
  readonly experimental_prepareStep?: PrepareStep | undefined;
  /** For `withChaining` alone: it does not reach the SDK. */
  readonly chaining?: ChainingOptions | undefined;
  /** Belongs under `chaining`. */
  readonly onHop?: never;
}

/** The caller's settings, composed. `tools` keeps the caller's types; the host's are dynamic beside them. */
export type ChainedSettings<Settings> = ComposedSettings<
  Settings,
  Settings extends { readonly tools: infer Tools extends object }
    ? Tools
    : Record<string, ChainedTool>
>;
