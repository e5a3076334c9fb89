// All uses of private parts of the AI SDK, each with its reason. They work in `ai` 6.0.326 and 7.0.173. `ai` is never
// imported at run time, so that one build serves both majors.

import type { JsonObject } from "@toolrail/core/json";

const MARK: object = { [Symbol.for("vercel.ai.schema")]: true };

/**
 * Wraps a JSON Schema as a schema of the SDK, which a symbol marks. `check` returns the error of a value. Default:
 * none.
 */
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

/** A schema of the SDK that is also a Standard Schema. */
export type InputSchema = ReturnType<typeof toInputSchema>;

/** An `InputSchema` for arguments of a known type. */
export type TypedInputSchema<Input> = Omit<InputSchema, "validate" | "~standard"> & {
  readonly "~standard": Omit<InputSchema["~standard"], "validate"> & {
    validate(value: unknown): { value: Input } | { issues: readonly { message: string }[] };
    readonly types?: { readonly input: Input; readonly output: Input };
  };
};

/** The form of files in a tool result: by kind in `ai` 6, and one tagged part in `ai` 7. */
export type FileForm = "by-kind" | "tagged";

/** Returns the form of the major that runs a tool. Only `ai` 7 passes a `context`, and it warns of the older form. */
export function readFileForm(options: object): FileForm {
  return "context" in options ? "tagged" : "by-kind";
}

/** The finish reason of an empty answer. After `stop` the SDK would look for the object that `output` requires. */
export const EMPTY_FINISH = "other";
