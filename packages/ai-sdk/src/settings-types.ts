import type { ModelViewOptions, ToolFilter } from "@toolrail/core";
import type { ChainedTool, HopResult } from "./chained-tools.ts";
import type { HopModel } from "./hop-model.ts";
import type { StepLike } from "./step-conditions.ts";

/** How `withChaining` chains. */
export interface ChainingOptions extends ModelViewOptions {
  /** Which of the host's tools a model is offered; hops reach the others too. Default: all for models. */
  readonly tools?: ToolFilter;
  /**
   * What a real model reads of a chain: `"folded"` (the default), one call with all its results; or
   * `"faithful"`, each hop as a call of its own, which some providers refuse.
   */
  readonly history?: "folded" | "faithful";
  /** Ends the run without a last model call where everything was for the user. Default true. */
  readonly endWhenShown?: boolean;
  /** Told of each call that was made, before anybody sees its output. What it throws is ignored. */
  readonly onHop?: (result: HopResult) => void | PromiseLike<void>;
}

/** What the SDK tells `prepareStep`; each major tells more. */
export interface StepOptions {
  readonly messages: readonly unknown[];
  readonly steps: readonly StepLike[];
  readonly stepNumber: number;
  /** Of `ai` 7: what the user has said while the run went on, and so stands after the latest results. */
  readonly experimental_steeringMessages?: readonly unknown[];
}

/** What `prepareStep` may answer, as far as chains are concerned. */
export interface StepSettings {
  readonly model?: unknown;
  readonly activeTools?: readonly string[];
  readonly toolChoice?: unknown;
  readonly messages?: readonly unknown[];
}

// Methods, because the majors' own functions ask for more than we tell their types.
type Condition = {
  stop(state: { readonly steps: readonly StepLike[] }): boolean | PromiseLike<boolean>;
}["stop"];

type ApprovalType = "not-applicable" | "approved" | "denied" | "user-approval";
type Approval =
  | ApprovalType
  | { readonly type: ApprovalType; readonly reason?: string }
  | undefined;
type ApproveAny = {
  approve(options: { readonly toolCall: CallToApprove }): Approval | PromiseLike<Approval>;
}["approve"];
type ApproveOne = {
  approve(input: unknown, options: unknown): Approval | PromiseLike<Approval>;
}["approve"];

/** A call, as `toolApproval` is asked about it. */
export interface CallToApprove {
  readonly toolName: string;
  readonly toolCallId: string;
  readonly input: unknown;
}

/** Settings of `generateText`, `streamText` or `ToolLoopAgent`; those that are not named here pass. */
export interface ChainableSettings {
  readonly model: unknown;
  readonly tools?: object | undefined;
  readonly activeTools?: readonly string[] | undefined;
  readonly toolChoice?:
    | "auto"
    | "none"
    | "required"
    | { readonly type: "tool"; readonly toolName: string }
    | undefined;
  readonly messages?:
    | readonly { readonly role: "system" | "user" | "assistant" | "tool" }[]
    | undefined;
  readonly stopWhen?: Condition | readonly Condition[] | undefined;
  prepareStep?(options: StepOptions): unknown;
  /** Of the agent class. */
  prepareCall?(options: never): unknown;
  /** As `ai` 6 also takes `activeTools` and `prepareStep`. */
  readonly experimental_activeTools?: readonly string[] | undefined;
  experimental_prepareStep?(options: StepOptions): unknown;
  /** Of `ai` 7. */
  readonly toolApproval?:
    | ApproveAny
    | { readonly [tool: string]: Approval | ApproveOne }
    | undefined;
  /** What is ours: it does not reach the SDK. */
  readonly chaining?: ChainingOptions | undefined;
}

type Composed =
  | "chaining"
  | "tools"
  | "activeTools"
  | "experimental_activeTools"
  | "prepareStep"
  | "experimental_prepareStep"
  | "prepareCall"
  | "stopWhen";

/** The caller's settings, composed. `tools` keeps the caller's types; the host's are dynamic beside them. */
export type ChainedSettings<Settings> = Omit<Settings, Composed> & {
  tools: Settings extends { readonly tools: infer Tools extends object }
    ? Tools
    : Record<string, ChainedTool>;
  prepareStep(options: StepOptions): Promise<{
    model?: HopModel;
    activeTools?: never[];
    toolChoice?: "auto" | "required";
    messages?: never[];
  }>;
  stopWhen(state: { readonly steps: readonly StepLike[] }): Promise<boolean>;
} & (Settings extends { prepareCall: unknown }
    ? { prepareCall(options: unknown): Promise<never> }
    : unknown);
