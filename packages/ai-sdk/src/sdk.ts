// The types and the private parts of the AI SDK that `ai` 6 and 7 share. They are declared here, and `ai` is never imported, so that one
// build serves both majors. The private parts work in `ai` 6.0.326 and 7.0.173.

import type { JsonObject } from "@toolrail/core/json";

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

/** A tool of the AI SDK, assignable to the `ToolSet` values of `ai` 6 and 7. */
export interface SdkTool<Output> {
  readonly type: "dynamic";
  readonly title?: string;
  readonly description?: string;
  readonly inputSchema: InputSchema;
  needsApproval(input: unknown, options: Omit<ToolCallOptions, "abortSignal">): Promise<boolean>;
  execute(input: unknown, options: ToolCallOptions): Promise<Output>;
  toModelOutput(options: {
    readonly output: Output;
    /** The id of the call in both majors. */
    readonly toolCallId?: string;
  }): ModelOutput;
}

/** A schema of the SDK that is also a Standard Schema. */
export type InputSchema = ReturnType<typeof toInputSchema>;

/** The symbol with which `jsonSchema` of `ai` marks its schemas. To a Standard Schema the SDK would add `additionalProperties: false`. */
const MARK: object = { [Symbol.for("vercel.ai.schema")]: true };

/** Wraps a JSON Schema as a schema of the SDK. `check` returns the error of a value. Default: none. */
export function toInputSchema(
  jsonSchema: JsonObject,
  check: (value: JsonObject) => Error | undefined = () => undefined,
) {
  const validate = (input: unknown) => {
    const value = input as JsonObject;
    const error = check(value);
    return error
      ? ({ success: false, error, issues: [error] } as const)
      : ({ success: true, value } as const);
  };
  const standard = { version: 1, vendor: "toolrail", validate } as const;
  return { jsonSchema, validate, "~standard": standard, ...MARK };
}

/** The form of files in a tool result: by kind in `ai` 6, and one tagged part in `ai` 7. */
export type FileForm = "by-kind" | "tagged";

/** Returns the form of the major that runs a tool. Only `ai` 7 passes a `context`, and it warns of the older form. */
export function readFileForm(options: object): FileForm {
  return "context" in options ? "tagged" : "by-kind";
}

/** The finish reason of an empty answer. After `stop` the SDK would look for the object that `output` requires. */
export const EMPTY_FINISH = "other";
