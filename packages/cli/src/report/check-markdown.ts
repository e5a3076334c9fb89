import picocolors from "picocolors";
import type { CheckReport } from "../check/check-report.ts";
import { renderCheck } from "./check-text.ts";

/** A check in Markdown, in a block of code: the text of an untrusted server is no markup and no mention there. */
export function renderCheckMarkdown(report: CheckReport): string {
  const text = renderCheck(report, { colours: picocolors.createColors(false), width: 100 });
  const head = `## ${report.ok ? "✅" : "❌"} Tool check`;
  return [head, "", "```text", text.replaceAll("```", "'''"), "```"].join("\n");
}
