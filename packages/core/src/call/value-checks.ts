import type { StandardSchemaV1 } from "@standard-schema/spec";
import { ToolrailError } from "../errors.ts";
import { isJsonObject, type JsonObject, measure } from "../json/json.ts";
import { messageOf, quoted } from "../json/plain-text.ts";
import type { JsonSchemaValidator, JsonSchemaVerdict } from "../json/validator.ts";
import type { CallToolResult } from "../result/call-tool-result.ts";
import { isWidget, type OutputVerdict } from "../result/hop.ts";
import type { ToolCall } from "./call-options.ts";
import type { Limits } from "./limits.ts";
import type { Tool } from "./tool.ts";
import { untilAborted } from "./until-aborted.ts";

/** Checks a value by a schema. Returns what is wrong, or `undefined`. */
type Check = (value: unknown) => string | undefined;

/** Returns the check by a schema of a tool, if it has one. Throws `invalid-schema` if the validator cannot compile it. */
export type SchemaChecks = (
  tool: Pick<Tool, "id" | "inputSchema" | "outputSchema">,
  member: "inputSchema" | "outputSchema",
) => Check | undefined;

export interface ValueParts {
  readonly checks: SchemaChecks;
  readonly limits: Limits;
  readonly parsers: ReadonlyMap<string, StandardSchemaV1>;
}

/** Compiles schemas when they are first needed, and keeps the outcome, good or bad, for each schema. */
export function createSchemaChecks(validator: JsonSchemaValidator): SchemaChecks {
  const compiled = new WeakMap<JsonObject, Check | ToolrailError>();
  const compile = (schema: JsonObject, where: string): Check | ToolrailError => {
    try {
      // Libraries write into a schema, and find it again by its `$id`, which two servers may share.
      const { $id, ...own } = structuredClone(schema);
      const validate = validator.getValidator(own);
      return (value) => verdictText(validate, value);
    } catch (cause) {
      const reason = quoted(messageOf(cause));
      const message =
        `The ${where} cannot be used, so the tool is not called: ${reason} ` +
        "Fix it on the server, or pass another `validator` to createHost.";
      return new ToolrailError("quarantined-tool", message, { cause });
    }
  };
  return (tool, member) => {
    const schema = tool[member];
    if (!schema) return undefined;
    let check = compiled.get(schema);
    if (!check) {
      check = compile(schema, `${member} of ${tool.id}`);
      compiled.set(schema, check);
    }
    if (typeof check !== "function") throw check;
    return check;
  };
}

/** Applies a schema. If it overflows the stack on this value, the schema has a defect. */
function verdictText(validate: (input: unknown) => JsonSchemaVerdict, value: unknown) {
  try {
    const verdict = validate(value);
    return verdict.valid ? undefined : quoted(verdict.errorMessage);
  } catch (cause) {
    return `the schema cannot be applied to it (${cause})`;
  }
}

/** Checks the size, the keys and the `inputSchema` of an untrusted object. Returns what is wrong. */
export function inputDefect(
  { checks, limits }: Pick<ValueParts, "checks" | "limits">,
  value: JsonObject,
  tool: Pick<Tool, "id" | "inputSchema">,
): string | undefined {
  const { maxArgumentBytes: maxBytes, maxValueDepth: maxDepth } = limits;
  return measure(value, { maxBytes, maxDepth }) ?? checks(tool, "inputSchema")?.(value);
}

/** Checks arguments by the schemas of their tool, both of them: a call whose answer could not be checked must not take effect. */
export function checkArguments(
  parts: Pick<ValueParts, "checks" | "limits">,
  { tool, arguments: args }: Pick<ToolCall, "tool" | "arguments">,
): void {
  const refuse = (why: string) =>
    new ToolrailError("invalid-arguments", `The arguments of ${tool.id} were not sent: ${why}.`);
  if (!isJsonObject(args)) throw refuse("they must be an object");
  const defect = inputDefect(parts, args, tool);
  if (defect) throw refuse(defect);
  parts.checks(tool, "outputSchema");
}

/** Finds the parser of a tool, by its id or by its bare name. */
export function parserOf(
  parsers: ReadonlyMap<string, StandardSchemaV1>,
  { id, name }: Pick<Tool, "id" | "name">,
): StandardSchemaV1 | undefined {
  return parsers.get(id) ?? (name.includes(".") ? undefined : parsers.get(name));
}

/** Checks `structuredContent` by the tool's output schema, then by the registered parser. */
export async function checkOutput(
  { checks, parsers }: Pick<ValueParts, "checks" | "parsers">,
  { tool, signal }: Pick<ToolCall, "tool" | "signal">,
  result: CallToolResult,
): Promise<OutputVerdict> {
  const { structuredContent: value, isError } = result;
  const check = isError ? undefined : checks(tool, "outputSchema");
  const parser = parserOf(parsers, tool);
  if (isError || !(check || parser)) return { status: "unchecked" };
  if (value === undefined) {
    if (isWidget(result, tool.meta)) return { status: "unchecked" };
    return invalid(`${tool.id} has an outputSchema, but sent no structuredContent`);
  }
  const what = `structuredContent of ${tool.id}`;
  const problem = check?.(value);
  if (problem) return invalid(`${what} violates its outputSchema: ${problem}`);
  if (!parser) return { status: "valid", value };
  return untilAborted(parseOutput(parser, value, tool.id), signal).catch(() =>
    invalid(`the parser of ${tool.id} gave no answer before the call was aborted`),
  );
}

async function parseOutput(
  parser: StandardSchemaV1,
  value: unknown,
  id: string,
): Promise<OutputVerdict> {
  try {
    const parsed = await parser["~standard"].validate(value);
    if (!parsed.issues) return { status: "valid", value: parsed.value };
    const problem = quoted(parsed.issues.map(issueText).join("; "));
    return invalid(`structuredContent of ${id} was rejected by its parser: ${problem}`);
  } catch {
    return invalid(`the parser of ${id} threw an error`);
  }
}

function issueText({ message, path = [] }: StandardSchemaV1.Issue): string {
  const place = path.map((part) => String(typeof part === "object" ? part.key : part));
  return `/${place.join("/")} ${message}`;
}

function invalid(message: string): OutputVerdict {
  return { status: "invalid", message };
}
