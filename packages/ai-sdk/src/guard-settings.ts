import type { SingleStepOptions } from "@toolrail/core";
import type { GuardedToolOptions } from "./guarded-tools.ts";
import type { ReplyModel } from "./reply-model.ts";
import type { SdkTool } from "./sdk-types.ts";
import type { ToolOutput } from "./tool-output.ts";

export interface SingleStepSettings extends SingleStepOptions, GuardedToolOptions {
  /** An id that the runs of one query share, where an approval ends one and begins the next. */
  readonly queryId?: string;
}

/** What the SDK tells `prepareStep`; each major tells more. */
export interface StepOptions {
  readonly messages: readonly unknown[];
  readonly steps: readonly unknown[];
}

/** What `prepareStep` may answer, as far as the guard is concerned. */
export interface StepSettings {
  readonly model?: unknown;
  readonly messages?: readonly unknown[];
}

// Methods, because the majors' own functions ask for more than we tell their types.
type Condition = {
  stop(state: { readonly steps: never[] }): boolean | PromiseLike<boolean>;
}["stop"];

/** Settings of `generateText`, `streamText` or `ToolLoopAgent`; those that are not named here pass. */
export interface GuardableSettings {
  readonly model: unknown;
  readonly stopWhen?: Condition | readonly Condition[] | undefined;
  prepareStep?(options: never): unknown;
  prepareCall?(options: never): unknown;
  /** Of `ai` 7. */
  readonly toolApproval?: unknown;
  /** The operator's list and the rest of the guard: it does not reach the SDK. Left out, nothing is allowed. */
  readonly singleStep?: SingleStepSettings | undefined;
}

type Composed = "singleStep" | "stopWhen" | "prepareStep" | "prepareCall";

/** The caller's settings under guard. */
export type GuardedSettings<Settings> = Omit<Settings, Composed> & {
  tools: Record<string, SdkTool<ToolOutput>>;
  stopWhen(state: { readonly steps: readonly unknown[] }): Promise<boolean>;
  prepareStep(options: StepOptions): Promise<{
    model?: ReplyModel;
    activeTools?: never[];
    toolChoice?: "auto";
    messages?: never[];
  }>;
  prepareCall(options: unknown): Promise<never>;
};

/** The caller's own hooks. */
export type Hooks = {
  [hook in "model" | "stopWhen" | "prepareStep" | "toolApproval"]?:
    | GuardableSettings[hook]
    | undefined;
};
