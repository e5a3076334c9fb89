import {
  createSingleStep,
  type GuardOutcome,
  type Plan,
  parseAllowlist,
  parsePlan,
  ToolrailError,
  toBlocked,
} from "@toolrail/core";
import type { Context } from "../context.ts";
import type { Outcome } from "../outcome.ts";
import { readText } from "../read-input.ts";
import { renderGuard } from "../report/guard-report.ts";
import type { Flags } from "./flags.ts";
import { withHost } from "./with-host.ts";

/**
 * Judges a plan and, where it is allowed, makes its one call. A plan or an allowlist that is no good is
 * refused before any server is asked.
 */
export async function runGuard(args: readonly string[], flags: Flags, context: Context) {
  const [source = "-"] = args;
  const text = await readText(source, context, "The plan");
  const allow = flags.allow?.flatMap(splitNames);
  const plan = readPlan(text);
  if (ToolrailError.isInstance(plan)) return toOutcome(toBlocked(plan));
  const { problem } = parseAllowlist(allow);
  if (problem !== undefined) {
    const message = `${problem} Use --allow a,b.`;
    return toOutcome(toBlocked(new ToolrailError("not-on-allowlist", message)));
  }
  return withHost(flags, context, {}, async ({ host, onProgress }) => {
    const query = createSingleStep(host, { ...(allow && { allow }) }).startQuery();
    return toOutcome(await query.run(plan, { signal: context.signal, onProgress }));
  });
}

function splitNames(text: string): string[] {
  return text
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "");
}

function readPlan(text: string): Plan | ToolrailError {
  try {
    return parsePlan(text);
  } catch (error) {
    if (ToolrailError.isInstance(error)) return error;
    throw error;
  }
}

function toOutcome(outcome: GuardOutcome): Outcome {
  const { verdict, code, message } = outcome;
  const ok = verdict === "allow";
  const document = {
    verdict: ok ? "allow" : "block",
    code,
    message,
    ...("hop" in outcome && { result: outcome.hop.result }),
  };
  return { ok, document, text: (style) => renderGuard(outcome, style) };
}
