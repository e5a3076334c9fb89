import { type CheckReport, exerciseText, summaryLine } from "../check/check-report.ts";
import { type Finding, PROFILE_NAMES, PROFILES, placeOf } from "../check/finding.ts";
import { plainText } from "../terminal/plain-text.ts";
import type { Style } from "../terminal/style.ts";
import { renderTree, type TreeNode } from "../terminal/tree.ts";

/** A check for people: by profile and tool, what must be fixed first, and one line that sums it up. */
export function renderCheck(report: CheckReport, style: Style): string {
  const { colours } = style;
  const parts = PROFILE_NAMES.flatMap((profile) => {
    const tools = new Map<string, TreeNode[]>();
    for (const finding of report.findings.filter((one) => one.profile === profile)) {
      const name = placeOf(finding);
      tools.set(name, [...(tools.get(name) ?? []), findingNode(finding, style)]);
    }
    const trees = [...tools].map(([name, children]) =>
      renderTree([{ label: colours.bold(plainText(name)), children }], colours.dim),
    );
    return trees.length > 0 ? [colours.underline(PROFILES[profile]), ...trees] : [];
  });
  if (report.exercises) {
    const children = report.exercises.map((exercise) => {
      const label = plainText(`${placeOf(exercise)}: ${exerciseText(exercise)}`);
      return { label: exercise.skipped === undefined ? label : colours.dim(label) };
    });
    parts.push(renderTree([{ label: colours.underline("Exercised"), children }], colours.dim));
  }
  const mark = report.ok ? colours.green("✔") : colours.red("✖");
  return [...parts, `${mark} ${summaryLine(report)}`].join("\n\n");
}

function findingNode({ severity, rule, path, message }: Finding, { colours }: Style): TreeNode {
  const paint = severity === "must" ? colours.red : colours.yellow;
  return {
    label: `${paint(severity.toUpperCase())} ${rule} ${colours.dim(plainText(path))}`,
    details: [plainText(message)],
  };
}
