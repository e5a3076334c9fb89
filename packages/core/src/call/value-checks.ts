import type { StandardSchemaV1 } from "@standard-schema/spec";
import { ToolrailError } from "../errors.ts";
import { isJsonObject, type JsonObject, measure, pollutingKey } from "../json.ts";
import { quoted } from "../plain-text.ts";
import type { CallToolResult } from "../result/call-tool-result.ts";
import type { OutputVerdict } from "../result/hop.ts";
import type { JsonSchemaValidator, JsonSchemaVerdict } from "../schema/json-schema.ts";
import type { DoorParts } from "./door-parts.ts";
import type { HostTool } from "./tool.ts";

/** What is wrong with a value by a schema, or `undefined`. */
type Check = (value: unknown) => string | undefined;

/** The check by a schema of a tool, if it has one. Throws `invalid-schema` where the validator cannot compile it. */
export type SchemaChecks = (
  tool: Pick<HostTool, "id" | "inputSchema" | "outputSchema">,
  member: "inputSchema" | "outputSchema",
) => Check | undefined;

/** Compiles schemas when they are first needed and keeps the outcome, good or bad, with the schema. */
export function createSchemaChecks(validator: JsonSchemaValidator): SchemaChecks {
  const compiled = new WeakMap<JsonObject, Check | ToolrailError>();
  const compile = (schema: JsonObject, where: string): Check | ToolrailError => {
    try {
      const validate = validator.getValidator(schema);
      return (value) => verdictText(validate, value);
    } catch (cause) {
      const reason = quoted(cause instanceof Error ? cause.message : String(cause));
      const message =
        `The ${where} cannot be used, so the tool is not called: ${reason} ` +
        "Fix it on the server, or pass another `validator` to createHost.";
      return new ToolrailError("invalid-schema", message, { cause });
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

/** A schema that overflows the stack on this value is a schema defect. */
function verdictText(validate: (input: unknown) => JsonSchemaVerdict, value: unknown) {
  try {
    const verdict = validate(value);
    return verdict.valid ? undefined : quoted(verdict.errorMessage);
  } catch (cause) {
    return `the schema cannot be applied to it (${cause})`;
  }
}

/** All that can be known before a call, by either schema: none takes effect whose answer nobody can check. */
export function checkArguments(
  { checks, limits }: DoorParts,
  { tool, arguments: args }: { readonly tool: HostTool; readonly arguments: unknown },
): JsonObject {
  const refuse = (why: string) =>
    new ToolrailError("invalid-arguments", `The arguments of ${tool.id} were not sent: ${why}.`);
  if (!isJsonObject(args)) throw refuse("they must be an object");
  const { maxArgumentBytes: maxBytes, maxValueDepth: maxDepth } = limits;
  const size = measure(args, { maxBytes, maxDepth });
  if (size) throw refuse(size);
  const key = pollutingKey(args);
  if (key) throw refuse(`they contain the key ${key}`);
  const problem = checks(tool, "inputSchema")?.(args);
  if (problem) throw refuse(problem);
  checks(tool, "outputSchema");
  return args;
}

/** Checks arguments by the registered parser. Rejects with `invalid-arguments`. */
export async function parseArguments(
  parser: StandardSchemaV1,
  { tool, arguments: args }: { readonly tool: HostTool; readonly arguments: JsonObject },
): Promise<void> {
  const parsed = await parser["~standard"].validate(args);
  if (!parsed.issues) return;
  const issues = quoted(parsed.issues.map(issueText).join("; "));
  const message = `The arguments of ${tool.id} were not sent: its parser rejected them: ${issues}.`;
  throw new ToolrailError("invalid-arguments", message);
}

/** Checks `structuredContent` by the tool's output schema, then by the registered parser. */
export function checkOutput(
  { checks, parsers }: DoorParts,
  { tool, result }: { readonly tool: HostTool; readonly result: CallToolResult },
): OutputVerdict | Promise<OutputVerdict> {
  const { structuredContent: value, isError, content, _meta } = result;
  const check = isError ? undefined : checks(tool, "outputSchema");
  const parser = parsers.get(tool.id);
  if (isError || !(check || parser)) return { status: "unchecked" };
  if (value === undefined) {
    if (content.length === 0 && _meta) return { status: "unchecked" };
    return invalid(`${tool.id} has an outputSchema, but sent no structuredContent`);
  }
  const problem = check?.(value);
  if (problem) {
    return invalid(`structuredContent of ${tool.id} violates its outputSchema: ${problem}`);
  }
  return parser ? parse(value, { parser, tool }) : { status: "valid", value };
}

async function parse(
  value: unknown,
  { parser, tool }: { readonly parser: StandardSchemaV1; readonly tool: HostTool },
): Promise<OutputVerdict> {
  try {
    const parsed = await parser["~standard"].validate(value);
    if (!parsed.issues) return { status: "valid", value: parsed.value };
    const issues = parsed.issues.map(issueText).join("; ");
    return invalid(`structuredContent of ${tool.id} was rejected by its parser: ${quoted(issues)}`);
  } catch {
    return invalid(`the parser of ${tool.id} threw an error`);
  }
}

function issueText({ message, path = [] }: StandardSchemaV1.Issue): string {
  const place = path.map((part) => String(typeof part === "object" ? part.key : part));
  return `/${place.join("/")} ${message}`;
}

function invalid(message: string): OutputVerdict {
  return { status: "invalid", message };
}
