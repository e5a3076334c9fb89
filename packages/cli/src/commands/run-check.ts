import { createCheckReport } from "../check/check-report.ts";
import { findDefinitionFindings, findStrayOutput } from "../check/definition-findings.ts";
import { exerciseHost, exerciseOptions } from "../check/exercise-host.ts";
import type { Outcome } from "../outcome.ts";
import { renderCheck } from "../report/check-text.ts";
import type { CommandCall } from "./command-spec.ts";
import { withHost } from "./with-host.ts";

/** Checks the definitions of all tools; with `--exercise` their behaviour too. */
export async function runCheck({ flags, context }: CommandCall): Promise<Outcome> {
  const { exercise, yes: all = false, profile, timeout } = flags;
  const inputs = new Set<object>();
  const options = exercise ? exerciseOptions(inputs, timeout) : {};
  return withHost({ flags, context, options }, async ({ host, servers }) => {
    for (const { inputSchema } of host.tools) inputs.add(inputSchema);
    const exercised = exercise ? await exerciseHost(host, { signal: context.signal, all }) : [];
    const names = Object.keys(servers.options);
    const findings = [
      ...names.flatMap((name) => findStrayOutput(name, servers.state(name))),
      ...findDefinitionFindings(host),
      ...exercised.flatMap((result) => result.findings),
    ];
    const counts = { servers: names.length, tools: host.tools.length };
    const exercises = exercise && { exercises: exercised.map((result) => result.exercise) };
    const report = { ...createCheckReport(findings, { ...counts, profile }), ...exercises };
    return { ok: report.ok, document: report, text: (style) => renderCheck(report, style) };
  });
}
