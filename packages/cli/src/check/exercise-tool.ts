import { type Hop, type Host, type HostTool, modelView, ToolrailError } from "@toolrail/core";
import { oneLine } from "../terminal/plain-text.ts";
import type { Finding } from "./check-report.ts";
import { type GeneratedArguments, generateArguments } from "./generate-arguments.ts";

type Kind = GeneratedArguments["kind"];

/** What came of exercising one tool: how many calls were made with arguments of each kind. */
export interface Exercise extends Readonly<Record<Kind, number>> {
  readonly server: string;
  readonly tool: string;
  /** Why it was not called. */
  readonly skipped?: string;
}

export interface ExerciseResult {
  readonly exercise: Exercise;
  readonly findings: readonly Finding[];
}

interface ExerciseOptions {
  /** Lets invalid arguments through: see `exerciseOptions`. */
  readonly host: Host;
  /** Stops the exercise; the call under way is cancelled. */
  readonly signal: AbortSignal;
  readonly maxCalls: number;
  /** Why the tool is not to be called. */
  readonly whyNot: string | undefined;
}

/** Calls a tool with generated arguments, and reports where its answers break what it promises. */
export async function exerciseTool(
  tool: HostTool,
  { host, signal, maxCalls, whyNot }: ExerciseOptions,
): Promise<ExerciseResult> {
  let skipped = whyNot;
  let cases: readonly GeneratedArguments[] = [];
  try {
    if (whyNot === undefined) cases = generateArguments(tool.inputSchema);
  } catch (error) {
    skipped = `its inputSchema cannot be used: ${error}`;
  }
  const place = { server: tool.server, tool: tool.name };
  const invalid = cases.filter(({ kind }) => kind === "invalid").slice(0, maxCalls / 2);
  const others = cases.filter(({ kind }) => kind !== "invalid").slice(0, maxCalls - invalid.length);
  const findings = new Map<string, Finding>();
  const report = (path: string, judgement: Judgement) =>
    findings.set(`${judgement.rule} ${path}`, { profile: "mcp", ...place, path, ...judgement });
  const calls = { valid: 0, borderline: 0, invalid: 0 };
  const failures: Hop[] = [];
  for (const { kind, about, arguments: args } of [...others, ...invalid]) {
    if (signal.aborted) break;
    const answer = await host.call({ tool, arguments: args }, { signal }).catch(toKnown);
    calls[kind]++;
    if (kind === "valid" && "result" in answer && answer.result.isError) failures.push(answer);
    const judgement = "code" in answer ? judgeError(answer, kind) : judgeHop(answer, kind);
    if (!judgement) continue;
    const sent = `Called with ${about}: ${oneLine(JSON.stringify(args), 200)}`;
    report(kind, { ...judgement, message: `${judgement.message} ${sent}` });
    if (judgement.rule === "connection") break;
  }
  const last = failures.at(-1);
  if (last && failures.length === calls.valid) report("valid", judgeFailures(tool, last));
  const exercise = { ...place, ...(skipped !== undefined && { skipped }), ...calls };
  return { exercise, findings: [...findings.values()] };
}

type Judgement = Pick<Finding, "severity" | "rule" | "message">;

/** Valid arguments may well name what there is not. A server that trips over its own outputSchema always fails. */
function judgeFailures({ outputSchema }: HostTool, last: Hop): Judgement {
  const error = oneLine(modelView(last).content[0]?.text ?? "", 200);
  const isOwn = outputSchema !== undefined && /output ?schema|structured ?content/i.test(error);
  const advice = isOwn
    ? "send structuredContent that fits its outputSchema"
    : "check that it works, or that its inputSchema says what it needs";
  const message = `It answers all calls with valid arguments with isError: ${advice}. The last one said: ${error}`;
  return { severity: isOwn ? "must" : "should", rule: "always-fails", message };
}

function toKnown(error: unknown): ToolrailError {
  if (ToolrailError.isInstance(error)) return error;
  throw error;
}

function judgeHop({ result, output }: Hop, kind: Kind): Judgement | undefined {
  if (kind === "invalid") {
    if (result.isError) return undefined;
    const message =
      "It accepts arguments that violate its inputSchema: check them and return isError.";
    return { severity: "should", rule: "accepts-invalid", message };
  }
  if (output.status !== "invalid") return undefined;
  return { severity: "must", rule: "broken-output", message: `${output.message}.` };
}

function judgeError({ code, message }: ToolrailError, kind: Kind): Judgement | undefined {
  if (code === "aborted" || (code === "protocol" && kind === "invalid")) return undefined;
  if (code === "timeout") return { severity: "should", rule: "timeout", message };
  const isLost = code === "outcome-unknown" || code === "server-unavailable";
  if (isLost) return { severity: "must", rule: "connection", message };
  if (code !== "protocol") return { severity: "must", rule: code, message };
  const advice = `It answers with a protocol error instead of a result with isError: ${message}.`;
  return { severity: "should", rule: "protocol-error", message: advice };
}
