import { checkDefinitions } from "../check/check-definitions.ts";
import { createCheckReport, renderCheck } from "../check/check-report.ts";
import { exerciseHost, exerciseOptions } from "../check/exercise-host.ts";
import type { CommandCall, Outcome } from "../command.ts";
import { withHost } from "./with-host.ts";

/** Checks the definitions of all tools; with `--exercise` their behaviour too. */
export async function runCheck({ flags, context }: CommandCall): Promise<Outcome> {
  const { exercise, yes: all = false, profile, timeout } = flags;
  const inputs = new Set<object>();
  const options = exercise ? exerciseOptions(inputs, timeout) : {};
  return withHost({ flags, context, options }, async ({ host, servers }) => {
    for (const { inputSchema } of host.tools) inputs.add(inputSchema);
    const exercised = exercise ? await exerciseHost(host, { signal: context.signal, all }) : [];
    const found = [checkDefinitions(host, servers), exercised.flatMap(({ findings }) => findings)];
    const findings = found.flat().filter((one) => one.profile === (profile ?? one.profile));
    const counts = { servers: Object.keys(servers.options).length, tools: host.tools.length };
    const exercises = exercise && { exercises: exercised.map((result) => result.exercise) };
    const report = { ...createCheckReport(findings, counts), ...exercises };
    return { ok: report.ok, document: report, text: (style) => renderCheck(report, style) };
  });
}
