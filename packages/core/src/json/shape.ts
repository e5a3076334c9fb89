import { z } from "zod";
import { suggestName } from "../nearest-name.ts";
import { isJsonObject, type JsonObject } from "./json.ts";
import { joinKey } from "./path.ts";

/** A value of the right shape, or what is wrong with it, as a sentence without its end. */
export type Shaped<T> =
  | { readonly value: T; readonly defect?: undefined }
  | { readonly value?: undefined; readonly defect: string };

/** Any object of JSON, unchanged. */
export const jsonObject = /* @__PURE__ */ z.custom<JsonObject>(isJsonObject, "must be an object");
/** A text that is not empty. */
export const name = /* @__PURE__ */ z.string().min(1, "must be a text that is not empty");

/** Reads a value from outside by its schema. `place` is where the value stands, as `rules[0]`. */
export function readShape<T>(schema: z.ZodType<T>, value: unknown, place = ""): Shaped<T> {
  const read = schema.safeParse(value, { error: describeIssue });
  if (read.success) return { value: read.data };
  const { issues } = read.error;
  // A misspelt key comes first: its right name is missing as well.
  const unknown = issues.filter(({ code }) => code === "unrecognized_keys");
  const [first] = toProblems([...unknown, ...issues], place);
  return { defect: `${first?.path || "it"} ${first?.message}` };
}

/** Finds all problems of a value from outside, each with its path in the value, as `steps[0].tool`. */
export function shapeProblems(schema: z.ZodType, value: unknown) {
  const read = schema.safeParse(value, { error: describeIssue });
  return read.success ? [] : toProblems(read.error.issues, "");
}

function toProblems(issues: z.ZodError["issues"], place: string) {
  return issues.map(({ path, message }) => {
    return { path: path.reduce<string>(joinKey, place), message };
  });
}

/** Says what a value must be, unless its schema has words of its own. Never quotes the value, which may be a secret. */
export function describeIssue(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code === "unrecognized_keys") {
    const known = Object.keys((issue.inst as z.ZodObject | undefined)?.shape ?? {});
    const [key = ""] = issue.keys;
    return `has the unknown key "${key}". ${suggestName(key, known)}`;
  }
  if (issue.code === "invalid_value") {
    return `must be ${issue.values.map((value) => JSON.stringify(value)).join(" or ")}`;
  }
  if (issue.code === "invalid_union") return "has none of the allowed forms";
  if (issue.code !== "invalid_type") return undefined;
  return issue.input === undefined
    ? "is missing"
    : `must be ${WORDS[issue.expected] ?? "another type"}`;
}

const WORDS: Readonly<Record<string, string>> = {
  string: "a text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
  record: "an object",
};
