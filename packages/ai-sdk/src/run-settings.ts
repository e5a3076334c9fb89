// The settings and steps of a run that are composed and that `ai` 6 and 7 share.

export interface StepLike {
  readonly model: { readonly provider: string };
  readonly toolCalls: readonly unknown[];
  readonly toolResults: readonly { readonly output: unknown }[];
}

/** The options that the SDK passes to `prepareStep`. Each major passes more. */
export interface StepOptions {
  readonly messages: readonly unknown[];
  readonly steps: readonly StepLike[];
  readonly stepNumber: number;
  /** The messages of the user during the run, in `ai` 7. They follow the latest results. */
  readonly experimental_steeringMessages?: readonly unknown[];
}

/** The settings that `prepareStep` may return and that are composed. */
export interface StepSettings {
  readonly model?: unknown;
  readonly activeTools?: readonly string[];
  readonly toolChoice?: unknown;
  readonly messages?: readonly unknown[];
}

// Methods, because the majors' own functions require more fields than these types have.
type Condition = {
  stop(state: { readonly steps: readonly StepLike[] }): boolean | PromiseLike<boolean>;
}["stop"];
export type PrepareStep = { prepare(options: StepOptions): unknown }["prepare"];

type Status = "not-applicable" | "approved" | "denied" | "user-approval";
type Approval = Status | { readonly type: Status; readonly reason?: string } | undefined;
type Approve<Asked extends readonly unknown[]> = {
  approve(...asked: Asked): Approval | PromiseLike<Approval>;
}["approve"];

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

/** Settings of `generateText`, `streamText` or `ToolLoopAgent` that are composed. Other settings pass unchanged. */
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
  /** A setting of the agent class, which calls it with composed settings. Compose the settings that it returns instead. */
  readonly prepareCall?: never;
  /** The approval rules of `ai` 7. */
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

/** The caller's settings, composed with these tools. */
export type ComposedSettings<Settings, Tools> = Omit<Settings, Composed> & {
  tools: Tools;
  stopWhen(state: { readonly steps: readonly StepLike[] }): Promise<boolean>;
  prepareStep(options: StepOptions): Promise<object>;
};
