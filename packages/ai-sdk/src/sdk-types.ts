import type { InputSchema } from "./sdk-internals.ts";

// The types that `ai` 6 and 7 share. They are declared here, so that one declaration fits both and none is imported.

/** The options that the SDK passes to a tool. */
export interface ToolCallOptions {
  /** The context of the caller in `ai` 7, from `toolsContext`. */
  readonly context?: unknown;
  /** The context of the caller in `ai` 6. */
  readonly experimental_context?: unknown;
  /** The id of the model's tool call. */
  readonly toolCallId: string;
  /** The messages that led to the call, without the response that contains it. */
  readonly messages: readonly unknown[];
  /** Cancels the call. */
  readonly abortSignal?: AbortSignal | undefined;
}

/** The metadata of a part, by the name of the provider that reads it. */
export type ProviderOptions = Record<string, Record<string, string | number | boolean>>;

/** A part of a tool's output that a model reads. */
export type ModelOutputPart = { providerOptions?: ProviderOptions } & (
  | { type: "text"; text: string }
  | { type: "image-data" | "file-data"; data: string; mediaType: string }
);

/** The output of a tool that a model reads. */
export type ModelOutput =
  | { type: "text" | "error-text"; value: string; providerOptions?: ProviderOptions }
  | { type: "content"; value: ModelOutputPart[] };

/** The options that the SDK passes to `needsApproval`. */
export interface ApprovalOptions extends Omit<ToolCallOptions, "abortSignal"> {
  /** True if the caller's `toolApproval` already asks a person. */
  readonly isAsked?: boolean;
}

/** A tool of the AI SDK, assignable to the `ToolSet` values of `ai` 6 and 7. */
export interface SdkTool<Output, Result = AsyncGenerator<Output, void, undefined>> {
  readonly type: "dynamic";
  readonly title?: string;
  readonly description?: string;
  readonly inputSchema: InputSchema;
  /** The SDK announces each call of a step with it. */
  onInputAvailable?(options: Pick<ToolCallOptions, "toolCallId" | "messages">): void;
  needsApproval(input: unknown, options: ApprovalOptions): Promise<boolean>;
  execute(input: unknown, options: ToolCallOptions): Result;
  toModelOutput(options: {
    readonly output: Output;
    /** The id of the call in both majors. */
    readonly toolCallId?: string;
  }): ModelOutput;
}
