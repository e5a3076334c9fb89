import {
  createValidator,
  type Hop,
  type Host,
  type HostTool,
  ToolrailError,
  type ToolrailErrorCode,
} from "@toolrail/core";
import type { Finding } from "./finding.ts";
import { type GeneratedArguments, generateArguments } from "./generate-arguments.ts";

/** What came of exercising one tool. */
export interface Exercise {
  readonly server: string;
  readonly tool: string;
  /** Why it was not called. */
  readonly skipped?: string;
  /** How many calls were made with arguments of each kind, and how many of them went as they should. */
  readonly valid: Tally;
  readonly borderline: Tally;
  readonly invalid: Tally;
}

interface Tally {
  readonly calls: number;
  readonly asExpected: number;
  /** How many were answered with `isError`, which valid arguments may well be. */
  readonly errors: number;
}

export interface ExerciseResult {
  readonly exercise: Exercise;
  readonly findings: readonly Finding[];
}

const NONE: Tally = { calls: 0, asExpected: 0, errors: 0 };
const MAX_CALLS = 20;

/** Calls that are not made: the tool may change something, or says nothing of that. */
export function skipExercise({ server, name: tool }: HostTool, skipped: string): ExerciseResult {
  const exercise = { server, tool, skipped, valid: NONE, borderline: NONE, invalid: NONE };
  return { exercise, findings: [] };
}

/**
 * Calls one tool with arguments made up from its schema, through a host that lets invalid ones pass, and
 * says where its answers break what it promises. Stops when the signal says so.
 */
export async function exerciseTool(
  host: Host,
  tool: HostTool,
  signal: AbortSignal,
): Promise<ExerciseResult> {
  const { server, name } = tool;
  const findings = new Map<string, Finding>();
  const tallies = { valid: { ...NONE }, borderline: { ...NONE }, invalid: { ...NONE } };
  for (const generated of plan(tool)) {
    if (signal.aborted) break;
    const { finding, isError } = await tryCall(host, tool, generated, signal);
    const { calls, asExpected, errors } = tallies[generated.kind];
    tallies[generated.kind] = {
      calls: calls + 1,
      asExpected: asExpected + (finding ? 0 : 1),
      errors: errors + (isError ? 1 : 0),
    };
    if (finding) findings.set(`${finding.rule} ${generated.kind}`, finding);
    if (finding?.rule === "connection") break;
  }
  return { exercise: { server, tool: name, ...tallies }, findings: [...findings.values()] };
}

function plan({ inputSchema }: HostTool): GeneratedArguments[] {
  const accepts = createValidator().getValidator(inputSchema);
  const generated = generateArguments(inputSchema, accepts);
  const invalid = generated.filter(({ kind }) => kind === "invalid").slice(0, MAX_CALLS / 2);
  const others = generated.filter(({ kind }) => kind !== "invalid");
  return [...others.slice(0, MAX_CALLS - invalid.length), ...invalid];
}

async function tryCall(
  host: Host,
  tool: HostTool,
  generated: GeneratedArguments,
  signal: AbortSignal,
): Promise<{ readonly finding: Finding | undefined; readonly isError: boolean }> {
  const { server, name } = tool;
  const judge = (judgement: Judgement | undefined): Finding | undefined =>
    judgement && {
      server,
      tool: name,
      path: generated.kind,
      ...judgement,
      message: `${judgement.message} Called with ${generated.about}: ${shorten(generated)}`,
    };
  try {
    const hop = await host.call({ tool, arguments: generated.arguments }, { signal });
    return { finding: judge(judgeHop(hop, generated)), isError: hop.result.isError === true };
  } catch (error) {
    if (!ToolrailError.isInstance(error)) throw error;
    const { code, message } = error;
    const judgement = code === "aborted" ? undefined : judgeError(code, message, generated);
    return { finding: judge(judgement), isError: false };
  }
}

type Judgement = Pick<Finding, "severity" | "rule" | "message">;

function judgeHop({ result, output }: Hop, { kind }: GeneratedArguments): Judgement | undefined {
  if (kind === "invalid") {
    if (result.isError) return undefined;
    const message =
      "It accepts arguments that break its inputSchema: check them, and send isError.";
    return { severity: "should", rule: "accepts-invalid", message };
  }
  if (output.status !== "invalid") return undefined;
  return { severity: "must", rule: "broken-output", message: `${output.message}.` };
}

function judgeError(
  code: ToolrailErrorCode,
  message: string,
  { kind }: GeneratedArguments,
): Judgement | undefined {
  switch (code) {
    case "protocol":
      if (kind === "invalid") return undefined;
      return {
        severity: "should",
        rule: "protocol-error",
        message: `It answers with a protocol error where a result with isError belongs: ${message}.`,
      };
    case "timeout":
      return { severity: "should", rule: "timeout", message: `${message}` };
    default:
      return { severity: "must", rule: code, message };
  }
}

function shorten({ arguments: args }: GeneratedArguments): string {
  const text = JSON.stringify(args);
  return text.length <= 200 ? text : `${text.slice(0, 199)}…`;
}
