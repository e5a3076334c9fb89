import type { CheckReport, ReportedFinding } from "../check/check-report.ts";
import type { Exercise } from "../check/exercise-tool.ts";
import { plainText } from "../terminal/plain-text.ts";
import type { Style } from "../terminal/style.ts";
import { renderTree, type TreeNode } from "../terminal/tree.ts";

/** A check for people: by tool, what must be mended first, and one line that sums it up. */
export function renderCheck(report: CheckReport, style: Style): string {
  const { colours } = style;
  const parts = [...groupByTool(report.findings)].map(([name, findings]) =>
    renderTree(
      [{ label: colours.bold(plainText(name)), children: findings.map(nodeOf(style)) }],
      colours.dim,
    ),
  );
  if (report.exercises) parts.push(renderExercises(report.exercises, style));
  const mark = report.ok ? colours.green("✔") : colours.red("✖");
  parts.push(`${mark} ${summaryLine(report)}`);
  return parts.join("\n\n");
}

/** `4 tools of 1 server: 2 must be mended, 3 should be.` */
export function summaryLine({ summary }: CheckReport): string {
  const { tools, servers, must, should } = summary;
  const news =
    summary.new === undefined
      ? ""
      : ` Against the baseline: ${summary.new} new, ${summary.fixed} mended.`;
  const found =
    must + should === 0 ? "all keep their contract" : `${must} must be mended, ${should} should be`;
  return `${plural(tools, "tool")} of ${plural(servers, "server")}: ${found}.${news}`;
}

/** Findings by `server.tool`, in the order of the report. */
export function groupByTool(
  findings: readonly ReportedFinding[],
): Map<string, readonly ReportedFinding[]> {
  const groups = new Map<string, ReportedFinding[]>();
  for (const finding of findings) {
    const { server, tool } = finding;
    const name = tool === undefined ? server : `${server}.${tool}`;
    groups.set(name, [...(groups.get(name) ?? []), finding]);
  }
  return groups;
}

function nodeOf({ colours }: Style): (finding: ReportedFinding) => TreeNode {
  return ({ severity, rule, path, message, isNew }) => {
    const paint = severity === "must" ? colours.red : colours.yellow;
    const known = isNew ? "" : colours.dim(" (in the baseline)");
    return {
      label: `${paint(severity.toUpperCase())} ${rule} ${colours.dim(plainText(path))}${known}`,
      details: [plainText(message)],
    };
  };
}

function renderExercises(exercises: readonly Exercise[], { colours }: Style): string {
  const children = exercises.map((exercise) => {
    const name = plainText(`${exercise.server}.${exercise.tool}`);
    return exercise.skipped === undefined
      ? { label: `${name}: ${exerciseText(exercise)}` }
      : { label: colours.dim(`${name}: not called, ${exercise.skipped}`) };
  });
  return renderTree([{ label: colours.bold("Exercised"), children }], colours.dim);
}

/** `valid 2/2 (1 isError), borderline 3/3, invalid 4/4`: how many calls went as they should. */
export function exerciseText({ valid, borderline, invalid }: Exercise): string {
  return Object.entries({ valid, borderline, invalid })
    .map(([kind, { calls, asExpected, errors }]) => {
      const refused = kind !== "invalid" && errors > 0 ? ` (${errors} isError)` : "";
      return `${kind} ${asExpected}/${calls}${refused}`;
    })
    .join(", ");
}

function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
