import type { Host, HostTool } from "@toolrail/core";
import { readBaseline } from "../check/baseline.ts";
import { createCheckReport } from "../check/check-report.ts";
import { findContractFindings, findStrayOutput } from "../check/contract-findings.ts";
import { type ExerciseResult, exerciseTool, skipExercise } from "../check/exercise-tool.ts";
import { createLenientValidator } from "../check/lenient-validator.ts";
import type { Context } from "../context.ts";
import type { Outcome } from "../outcome.ts";
import { renderCheckMarkdown } from "../report/check-markdown.ts";
import { renderCheck } from "../report/check-text.ts";
import type { Flags } from "./flags.ts";
import { withHost } from "./with-host.ts";

const EXERCISE_TIMEOUT_MS = 10_000;

/** Checks the contracts of all tools; with `--exercise` their behaviour too. */
export async function runCheck(_args: readonly string[], flags: Flags, context: Context) {
  const baseline = flags.baseline === undefined ? undefined : await readBaseline(flags.baseline);
  let tools: readonly HostTool[] = [];
  const isInput = (schema: object) => tools.some(({ inputSchema }) => inputSchema === schema);
  const options = flags.exercise
    ? {
        validator: createLenientValidator(isInput),
        limits: { callTimeoutMs: flags.timeout ?? EXERCISE_TIMEOUT_MS },
      }
    : {};
  return withHost(flags, context, options, async ({ host, servers }): Promise<Outcome> => {
    tools = host.tools;
    const exercised = flags.exercise ? await exerciseAll(host, flags, context) : undefined;
    const names = Object.keys(servers.options);
    const report = createCheckReport({
      servers: names.length,
      tools: host.tools.length,
      findings: [
        ...names.flatMap((name) => findStrayOutput(name, servers.state(name))),
        ...findContractFindings(host),
        ...(exercised ?? []).flatMap(({ findings }) => findings),
      ],
      baseline,
      exercises: exercised?.map(({ exercise }) => exercise),
    });
    return {
      ok: report.ok,
      document: report,
      text: (style) => (flags.markdown ? renderCheckMarkdown(report) : renderCheck(report, style)),
    };
  });
}

async function exerciseAll(host: Host, flags: Flags, { signal }: Context) {
  const results: ExerciseResult[] = [];
  const gone = new Map<string, string>();
  for (const tool of host.tools) {
    const reason = gone.get(tool.server) ?? (flags.yes ? undefined : whyNot(tool));
    const result = reason ? skipExercise(tool, reason) : await exerciseTool(host, tool, signal);
    signal.throwIfAborted();
    results.push(result);
    if (result.findings.some(({ rule }) => rule === "connection")) {
      gone.set(tool.server, `its server was lost when ${tool.name} was called`);
    }
  }
  return results;
}

function whyNot({ annotations }: HostTool): string | undefined {
  if (annotations?.readOnlyHint === true && annotations.destructiveHint !== true) return undefined;
  const reason =
    annotations?.readOnlyHint === undefined
      ? "it does not say that it is read-only"
      : "it may change something";
  return `${reason}; --yes calls it all the same`;
}
