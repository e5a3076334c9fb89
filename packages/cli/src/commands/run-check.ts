import { checkDefinitions } from "../check/check-definitions.ts";
import { createCheckReport, renderCheck } from "../check/check-report.ts";
import type { CommandCall, Outcome } from "../command.ts";
import { withHost } from "./with-host.ts";

/** Checks the definitions of all tools. */
export async function runCheck({ flags, context }: CommandCall): Promise<Outcome> {
  const { profile } = flags;
  return withHost({ flags, context }, async ({ host, servers }) => {
    const found = checkDefinitions(host, servers);
    const findings = found.filter((one) => one.profile === (profile ?? one.profile));
    const counts = { servers: Object.keys(servers.options).length, tools: host.tools.length };
    const report = createCheckReport(findings, counts);
    return { ok: report.ok, document: report, text: (style) => renderCheck(report, style) };
  });
}
