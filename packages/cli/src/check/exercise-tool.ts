import { type Hop, type Host, type HostTool, modelView, ToolrailError } from "@toolrail/core";
import { oneLine } from "../terminal/plain-text.ts";
import type { Finding } from "./finding.ts";
import { type GeneratedArguments, generateArguments } from "./generate-arguments.ts";

/** What came of exercising one tool. */
export interface Exercise {
  readonly server: string;
  readonly tool: string;
  /** Why it was not called. */
  readonly skipped?: string;
  /** How many calls were made with arguments of each kind, and how many of them went as they should. */
  readonly valid: Readonly<Tally>;
  readonly borderline: Readonly<Tally>;
  readonly invalid: Readonly<Tally>;
}

interface Tally {
  calls: number;
  asExpected: number;
  /** How many were answered with `isError`, which valid arguments may well be. */
  errors: number;
}

export interface ExerciseResult {
  readonly exercise: Exercise;
  readonly findings: readonly Finding[];
}

export interface ExerciseOptions {
  /** Lets invalid arguments through: see `exerciseOptions`. */
  readonly host: Host;
  /** Why the tool is not to be called, if it is not. */
  readonly skipped: string | undefined;
  /** Stops the exercise; the call under way is cancelled. */
  readonly signal: AbortSignal;
  /** Most calls. */
  readonly maxCalls: number;
}

/** Calls a tool with generated arguments, and reports where its answers break what it promises. */
export async function exerciseTool(
  tool: HostTool,
  { host, skipped, signal, maxCalls }: ExerciseOptions,
): Promise<ExerciseResult> {
  const place = { server: tool.server, tool: tool.name };
  const none = (): Tally => ({ calls: 0, asExpected: 0, errors: 0 });
  const tallies = { valid: none(), borderline: none(), invalid: none() };
  const skip = (reason: string) => ({
    exercise: { ...place, skipped: reason, ...tallies },
    findings: [],
  });
  if (skipped !== undefined) return skip(skipped);
  let plan: readonly GeneratedArguments[];
  try {
    plan = generateArguments(tool.inputSchema);
  } catch (error) {
    return skip(`its inputSchema cannot be used: ${error}`);
  }
  const invalid = plan.filter(({ kind }) => kind === "invalid").slice(0, maxCalls / 2);
  const others = plan.filter(({ kind }) => kind !== "invalid").slice(0, maxCalls - invalid.length);
  const findings = new Map<string, Finding>();
  let lastError = "";
  for (const { kind, about, arguments: args } of [...others, ...invalid]) {
    if (signal.aborted) break;
    const answer = await host.call({ tool, arguments: args }, { signal }).catch(toKnown);
    const judgement = "code" in answer ? judgeError(answer, kind) : judgeHop(answer, kind);
    const { [kind]: tally } = tallies;
    tally.calls++;
    if ("result" in answer && answer.result.isError) {
      tally.errors++;
      if (kind === "valid") lastError = modelText(answer);
    }
    if (!judgement) tally.asExpected++;
    if (!judgement) continue;
    const { rule } = judgement;
    const message = `${judgement.message} Called with ${about}: ${oneLine(JSON.stringify(args), 200)}`;
    const finding = { profile: "mcp", ...place, path: kind, ...judgement, message } as const;
    findings.set(`${rule} ${kind}`, finding);
    if (rule === "connection") break;
  }
  if (tallies.valid.calls > 0 && tallies.valid.errors === tallies.valid.calls) {
    const judgement = judgeFailures(tool, lastError);
    findings.set(judgement.rule, { profile: "mcp", ...place, path: "valid", ...judgement });
  }
  return { exercise: { ...place, ...tallies }, findings: [...findings.values()] };
}

function modelText(hop: Hop): string {
  const [block] = modelView(hop).content;
  return oneLine(block?.text ?? "", 200);
}

/** Valid arguments may well name what there is not. A server that trips over its own outputSchema always fails. */
function judgeFailures({ outputSchema }: HostTool, error: string): Judgement {
  const isOwn = outputSchema !== undefined && /output ?schema|structured ?content/i.test(error);
  const advice = isOwn
    ? "send structuredContent that fits its outputSchema"
    : "check that it works, or that its inputSchema says what it needs";
  const message = `It answers all calls with valid arguments with isError: ${advice}. The last one said: ${error}`;
  return { severity: isOwn ? "must" : "should", rule: "always-fails", message };
}

type Kind = GeneratedArguments["kind"];
type Judgement = Pick<Finding, "severity" | "rule" | "message">;

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
