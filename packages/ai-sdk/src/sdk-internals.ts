// What leans on parts of the AI SDK that it does not promise, each with its reason. Seen in `ai` 6.0.326 and
// 7.0.173, unless it says otherwise. `ai` is never imported at run time, so that one build serves both majors.

import type { JsonObject } from "@toolrail/json";

const MARK: object = { [Symbol.for("vercel.ai.schema")]: true };

/** A JSON Schema in the SDK's own form, known by a symbol. `check` says what is wrong with a value. Default: nothing. */
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

/** Marks a tool for the search tool of a provider: each package reads its own name. Seen in `@ai-sdk/openai` 4.0.118 and `@ai-sdk/anthropic` 4.0.105. */
export const DEFERRED_BY_PROVIDER = {
  openai: { deferLoading: true },
  anthropic: { deferLoading: true },
} as const;

/** True for what `toolSearch()` of `ai` 7 returns. */
export function isToolSearch(tool: unknown): boolean {
  return Object(tool)[Symbol.for("vercel.ai.toolSearch")] === true;
}

/** A schema of the SDK's kind, and for its types a Standard Schema. */
export type InputSchema = ReturnType<typeof toInputSchema>;

/** An `InputSchema` for arguments of a known type. */
export type TypedInputSchema<Input> = Omit<InputSchema, "validate" | "~standard"> & {
  readonly "~standard": Omit<InputSchema["~standard"], "validate"> & {
    validate(value: unknown): { value: Input } | { issues: readonly { message: string }[] };
    readonly types?: { readonly input: Input; readonly output: Input };
  };
};

/** How a major writes files in a tool result: `ai` 6 by kind, `ai` 7 as one tagged part. */
export type FileForm = "by-kind" | "tagged";

/** The form of the major that runs a tool: `ai` 7 alone gives it a `context`, and warns of the older form. */
export function fileFormOf(options: object): FileForm {
  return "context" in options ? "tagged" : "by-kind";
}

/** How an answer ends that says nothing: after `stop` the SDK would look for the object that `output` asks for. */
export const EMPTY_FINISH = "other";
