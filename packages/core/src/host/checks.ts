import type { StandardSchemaV1 } from "@standard-schema/spec";
import { ToolrailError } from "../errors.ts";
import { isJsonObject, type JsonObject, measure, pollutingKey } from "../json.ts";
import type { CallToolResult } from "../result/call-tool-result.ts";
import type { OutputVerdict } from "../result/hop.ts";
import type { JsonSchemaValidator, JsonSchemaVerdict } from "../schema/json-schema.ts";
import type { Limits } from "./limits.ts";
import type { HostTool } from "./tool.ts";

type Check = (input: unknown) => JsonSchemaVerdict;

/** Compiles schemas when they are first needed and keeps the outcome, good or bad, with the schema. */
export interface SchemaChecks {
  /** Throws `invalid-schema` where the validator cannot compile it. */
  of(schema: JsonObject, where: string): Check;
}

export function createSchemaChecks(validator: JsonSchemaValidator): SchemaChecks {
  const compiled = new WeakMap<JsonObject, Check | ToolrailError>();
  return {
    of(schema, where) {
      let check = compiled.get(schema);
      if (!check) {
        check = compile(validator, schema, where);
        compiled.set(schema, check);
      }
      if (typeof check !== "function") throw check;
      return check;
    },
  };
}

function compile(validator: JsonSchemaValidator, schema: JsonObject, where: string) {
  try {
    return validator.getValidator(schema);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    return new ToolrailError(
      "invalid-schema",
      `The ${where} cannot be used, so the tool is not called: ${reason} ` +
        "Mend it at the server, or pass `validator` to createHost.",
      { cause },
    );
  }
}

/** Runs a compiled check; a schema that overflows the stack on this value is a schema defect. */
function run(check: Check, value: unknown): string | undefined {
  try {
    const verdict = check(value);
    return verdict.valid ? undefined : verdict.errorMessage;
  } catch (cause) {
    return `the schema cannot be applied to it (${cause})`;
  }
}

/**
 * Everything that can be known of a call before it is sent. Throws `invalid-arguments`, or
 * `invalid-schema` for either schema of the tool, so that no effect is had for an answer nobody can check.
 */
export function checkArguments(
  checks: SchemaChecks,
  limits: Limits,
  tool: HostTool,
  args: unknown,
): asserts args is JsonObject {
  const refuse = (why: string) =>
    new ToolrailError("invalid-arguments", `The arguments of ${tool.id} were not sent: ${why}.`);
  if (!isJsonObject(args)) throw refuse("they must be an object");
  const size = measure(args, {
    maxBytes: limits.maxArgumentBytes,
    maxDepth: limits.maxValueDepth,
  });
  if (size) throw refuse(size);
  const key = pollutingKey(args);
  if (key) throw refuse(`they hold the key ${key}`);
  const problem = run(checks.of(tool.inputSchema, `inputSchema of ${tool.id}`), args);
  if (problem) throw refuse(problem);
  if (tool.outputSchema) checks.of(tool.outputSchema, `outputSchema of ${tool.id}`);
}

/**
 * Checks `structuredContent` by the tool's output schema, then by the registered parser. Only a parser
 * makes it a promise.
 */
export function checkOutput(
  checks: SchemaChecks,
  tool: HostTool,
  result: CallToolResult,
  parser: StandardSchemaV1 | undefined,
): OutputVerdict | Promise<OutputVerdict> {
  const { structuredContent, isError, content, _meta } = result;
  if (isError || !(tool.outputSchema || parser)) return { status: "unchecked" };
  if (structuredContent === undefined) {
    if (content.length === 0 && _meta) return { status: "unchecked" };
    return invalid(`${tool.id} promises structuredContent and sent none`);
  }
  if (tool.outputSchema) {
    const check = checks.of(tool.outputSchema, `outputSchema of ${tool.id}`);
    const problem = run(check, structuredContent);
    if (problem)
      return invalid(`structuredContent of ${tool.id} breaks its outputSchema: ${problem}`);
  }
  return parser
    ? parse(parser, structuredContent, tool)
    : { status: "valid", value: structuredContent };
}

async function parse(
  parser: StandardSchemaV1,
  value: unknown,
  tool: HostTool,
): Promise<OutputVerdict> {
  try {
    const parsed = await parser["~standard"].validate(value);
    if (!parsed.issues) return { status: "valid", value: parsed.value };
    const issues = parsed.issues.map(({ message, path = [] }) => {
      const place = path
        .map((part) => String(typeof part === "object" ? part.key : part))
        .join("/");
      return `/${place} ${message}`;
    });
    return invalid(
      `structuredContent of ${tool.id} is refused by its parser: ${issues.join("; ")}`,
    );
  } catch (cause) {
    return invalid(`the parser of ${tool.id} threw: ${cause}`);
  }
}

function invalid(message: string): OutputVerdict {
  return { status: "invalid", message };
}
