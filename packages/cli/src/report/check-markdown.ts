import type { CheckReport } from "../check/check-report.ts";
import { plainText } from "../terminal/plain-text.ts";
import { exerciseText, groupByTool, summaryLine } from "./check-text.ts";

/** A check in GitHub-flavoured Markdown, for a comment on a pull request. */
export function renderCheckMarkdown(report: CheckReport): string {
  const parts = [`## ${report.ok ? "✅" : "❌"} Tool contracts`, cell(summaryLine(report))];
  for (const [name, findings] of groupByTool(report.findings)) {
    const rows = findings.map(({ severity, rule, path, message, isNew }) => [
      isNew ? `**${severity.toUpperCase()}**` : `${severity.toUpperCase()} (known)`,
      cell(rule),
      path === "" ? "" : code(path),
      cell(message),
    ]);
    parts.push(`### ${code(name)}`, table(["severity", "rule", "where", "what to change"], rows));
  }
  if (report.exercises) {
    const rows = report.exercises.map((exercise) => [
      code(`${exercise.server}.${exercise.tool}`),
      exercise.skipped === undefined
        ? exerciseText(exercise)
        : cell(`not called: ${exercise.skipped}`),
    ]);
    parts.push("### Exercised", table(["tool", "calls that went as they should"], rows));
  }
  return parts.join("\n\n");
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

/** The words of a stranger as words: no markup, no mention, no line of their own. */
function cell(text: string): string {
  return plainText(text)
    .replace(/\s+/g, " ")
    .replace(/[\\`*_[\]<>|~#@!]/g, (char) => `\\${char}`)
    .replace(/\\@/g, "@\u200b")
    .replace(/:\/\//g, ":\u200b//");
}

function code(text: string): string {
  const plain = plainText(text).replace(/\s+/g, " ").replaceAll("`", "'").replaceAll("|", "\\|");
  return `\`${plain}\``;
}
