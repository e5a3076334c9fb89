// Settings and steps of a run, as far as they are composed and as `ai` 6 and 7 share them.

/** A step of the SDK, as far as stop conditions look at it. */
export interface StepLike {
  readonly model: { readonly provider: string };
  readonly toolCalls: readonly unknown[];
  readonly toolResults: readonly { readonly output: unknown }[];
}

/** What the SDK tells `prepareStep`; each major tells more. */
export interface StepOptions {
  readonly messages: readonly unknown[];
  readonly steps: readonly StepLike[];
  readonly stepNumber: number;
  /** Of `ai` 7: what the user has said while the run went on, and so stands after the latest results. */
  readonly experimental_steeringMessages?: readonly unknown[];
}

/** What `prepareStep` may answer, as far as it is composed. */
export interface StepSettings {
  readonly model?: unknown;
  readonly activeTools?: readonly string[];
  readonly toolChoice?: unknown;
  readonly messages?: readonly unknown[];
}

// Methods, because the majors' own functions ask for more than these types tell.
type Condition = {
  stop(state: { readonly steps: readonly StepLike[] }): boolean | PromiseLike<boolean>;
}["stop"];
export type PrepareStep = { prepare(options: StepOptions): unknown }["prepare"];

type Status = "not-applicable" | "approved" | "denied" | "user-approval";
type Approval = Status | { readonly type: Status; readonly reason?: string } | undefined;
type Approve<Asked extends readonly unknown[]> = {
  approve(...asked: Asked): Approval | PromiseLike<Approval>;
}["approve"];

/** A call, as `toolApproval` is asked about it. */
export interface CallToApprove {
  readonly toolName: string;
  readonly toolCallId: string;
  readonly input: unknown;
}

interface Asked {
  readonly toolCall: CallToApprove;
  readonly messages: readonly unknown[];
  readonly toolsContext?: Readonly<Record<string, unknown>>;
}

/** Settings of `generateText`, `streamText` or `ToolLoopAgent` that are composed; others pass. */
export interface RunSettings {
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
  readonly prepareStep?: PrepareStep | undefined;
  /** Of the agent class, which calls it with settings that are composed already: compose those that it returns. */
  readonly prepareCall?: never;
  /** Of `ai` 7. */
  readonly toolApproval?:
    | Approve<[options: Asked]>
    | { readonly [tool: string]: Approval | Approve<[input: unknown, options: unknown]> }
    | undefined;
}

type Composed =
  | "tools"
  | "stopWhen"
  | "prepareStep"
  | "prepareCall"
  | "activeTools"
  | "experimental_activeTools"
  | "experimental_prepareStep"
  | "chaining"
  | "singleStep";

/** The caller's settings, composed, around these tools. */
export type ComposedSettings<Settings, Tools> = Omit<Settings, Composed> & {
  tools: Tools;
  stopWhen(state: { readonly steps: readonly StepLike[] }): Promise<boolean>;
  prepareStep(options: StepOptions): Promise<object>;
};
