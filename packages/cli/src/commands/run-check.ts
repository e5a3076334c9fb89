import { checkDefinitions } from "../check/check-definitions.ts";
import { createCheckReport, renderCheck } from "../check/check-report.ts";
import { estimateCosts } from "../check/server-costs.ts";
import type { CommandCall, Outcome } from "../command.ts";
import { withHost } from "./with-host.ts";

/** Checks the definitions of all tools and estimates their cost for a model. */
export async function runCheck({ flags, context }: CommandCall): Promise<Outcome> {
  const { profile = "mcp" } = flags;
  return withHost({ flags, context }, async ({ host, servers: open }) => {
    const findings = checkDefinitions(host, open).filter((one) => one.profile === profile);
    const servers = estimateCosts(host, Object.keys(open.options));
    const report = createCheckReport(findings, { servers, tools: host.tools.length });
    return { ok: report.ok, document: report, text: (style) => renderCheck(report, style) };
  });
}
