import type { Baseline } from "./baseline.ts";
import type { Exercise } from "./exercise-tool.ts";
import { type Finding, findingKey } from "./finding.ts";

/** A finding, and whether the baseline has it already. */
export interface ReportedFinding extends Finding {
  readonly isNew: boolean;
}

/** What `toolrail check --json` prints. */
export interface CheckReport {
  /** False where a `must` is broken, with a baseline: where a new one is. */
  readonly ok: boolean;
  readonly summary: {
    readonly servers: number;
    readonly tools: number;
    readonly must: number;
    readonly should: number;
    /** With a baseline: the findings that it does not have, and those that are gone. */
    readonly new?: number;
    readonly fixed?: number;
  };
  readonly findings: readonly ReportedFinding[];
  /** With `--exercise`: what was called, and what was not and why. */
  readonly exercises?: readonly Exercise[];
}

export interface CheckParts {
  readonly servers: number;
  readonly tools: number;
  readonly findings: readonly Finding[];
  readonly baseline?: Baseline | undefined;
  readonly exercises?: readonly Exercise[] | undefined;
}

/** Sorts the findings by server and tool, the worst first, and sums them up. */
export function createCheckReport(parts: CheckParts): CheckReport {
  const { servers, tools, baseline, exercises } = parts;
  const findings = parts.findings
    .map((finding) => ({ ...finding, isNew: !baseline?.has(findingKey(finding)) }))
    .sort((a, b) => compare(sortKey(a), sortKey(b)));
  const count = (severity: Finding["severity"]) =>
    findings.filter((finding) => finding.severity === severity).length;
  const keys = new Set(parts.findings.map(findingKey));
  return {
    ok: !findings.some(({ severity, isNew }) => severity === "must" && isNew),
    summary: {
      servers,
      tools,
      must: count("must"),
      should: count("should"),
      ...(baseline && {
        new: findings.filter(({ isNew }) => isNew).length,
        fixed: [...baseline].filter((key) => !keys.has(key)).length,
      }),
    },
    findings,
    ...(exercises && { exercises }),
  };
}

function sortKey({ server, tool = "", severity, path }: Finding): string {
  return [server, tool, severity === "must" ? 0 : 1, path].join("\0");
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
