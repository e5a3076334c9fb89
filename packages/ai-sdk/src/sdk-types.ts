import type { InputSchema } from "./sdk-internals.ts";

// The shapes that `ai` 6 and 7 share, written out so that one declaration fits both and none is imported.

/** What the SDK tells a tool when it runs it. */
export interface ToolCallOptions {
  /** Who calls, as the application told `ai` 7 by `toolsContext`. */
  readonly context?: unknown;
  /** Who calls, as the application told `ai` 6. */
  readonly experimental_context?: unknown;
  /** The id of the model's tool call. */
  readonly toolCallId: string;
  /** The messages that led to the call, without the response that holds it. */
  readonly messages: readonly unknown[];
  /** Cancels the call. */
  readonly abortSignal?: AbortSignal | undefined;
}

/** What the SDK keeps beside a part for the provider of that name; others look past it. */
export type ProviderOptions = Record<string, Record<string, string | number | boolean>>;

/** A part of what a model reads of a tool's output. */
export type ModelOutputPart = { providerOptions?: ProviderOptions } & (
  | { type: "text"; text: string }
  | { type: "image-data" | "file-data"; data: string; mediaType: string }
);

/** What a model reads of a tool's output. */
export type ModelOutput =
  | { type: "text" | "error-text"; value: string; providerOptions?: ProviderOptions }
  | { type: "content"; value: ModelOutputPart[] };

/** What the SDK tells a tool when it asks whether a person must approve a call. */
export interface ApprovalOptions extends Omit<ToolCallOptions, "abortSignal"> {
  /** The caller's own `toolApproval` asks a person already. */
  readonly isAsked?: boolean;
}

/** A tool of the AI SDK, assignable to the `ToolSet` values of `ai` 6 and 7. */
export interface SdkTool<Output, Result = AsyncGenerator<Output, void, undefined>> {
  readonly type: "dynamic";
  readonly title?: string;
  readonly description?: string;
  readonly inputSchema: InputSchema;
  /** True while models find the tool by the SDK's `toolSearch()` alone: see `defer`. */
  readonly deferLoading?: boolean;
  /** Marks the tool for the search of a provider: see `defer`. */
  readonly providerOptions?: ProviderOptions;
  needsApproval(input: unknown, options: ApprovalOptions): Promise<boolean>;
  execute(input: unknown, options: ToolCallOptions): Result;
  toModelOutput(options: {
    readonly output: Output;
    /** Both majors name the call. */
    readonly toolCallId?: string;
  }): ModelOutput;
}
