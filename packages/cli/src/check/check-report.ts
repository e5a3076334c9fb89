import type { Exercise } from "./exercise-tool.ts";
import { type Finding, PROFILE_NAMES, PROFILES, type Profile } from "./finding.ts";

/** What `toolrail check --json` prints. */
export interface CheckReport {
  /** False where a `must` is broken. */
  readonly ok: boolean;
  readonly summary: Counts & {
    readonly servers: number;
    readonly tools: number;
    readonly profiles: { readonly [profile in Profile]?: Counts };
  };
  readonly findings: readonly Finding[];
  /** With `--exercise`: what was called, and what was not and why. */
  readonly exercises?: readonly Exercise[];
}

interface Counts {
  readonly must: number;
  readonly should: number;
}

interface CheckOptions {
  readonly servers: number;
  readonly tools: number;
  /** The only one to report. Default: both. */
  readonly profile?: Profile | undefined;
}

/** Sorts the findings by profile, server and tool, the worst first, and sums them up. */
export function createCheckReport(
  found: readonly Finding[],
  { servers, tools, profile }: CheckOptions,
): CheckReport {
  const profiles = PROFILE_NAMES.filter((name) => name === (profile ?? name));
  const findings = found
    .filter((finding) => profiles.includes(finding.profile))
    .sort((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1));
  const countOf = (name: Profile) => count(findings.filter((one) => one.profile === name));
  return {
    ok: !findings.some(({ severity }) => severity === "must"),
    summary: {
      servers,
      tools,
      ...count(findings),
      profiles: Object.fromEntries(profiles.map((name) => [name, countOf(name)])),
    },
    findings,
  };
}

/** `10 tools of 1 server. MCP specification: 1 must be fixed, 0 should be. …` */
export function summaryLine({ summary }: CheckReport): string {
  const { tools, servers, profiles } = summary;
  const plural = (count: number, noun: string) => `${count} ${noun}${count === 1 ? "" : "s"}`;
  const counts = (Object.entries(profiles) as [Profile, Counts][]).map(
    ([name, { must, should }]) => `${PROFILES[name]}: ${must} must be fixed, ${should} should be.`,
  );
  const all = `${plural(tools, "tool")} of ${plural(servers, "server")}.`;
  return [all, ...counts].join(" ");
}

/** `valid 2/2 (1 isError), borderline 3/3, invalid 4/4`: how many calls went as they should. */
export function exerciseText({ skipped, valid, borderline, invalid }: Exercise): string {
  if (skipped !== undefined) return `not called, ${skipped}`;
  return Object.entries({ valid, borderline, invalid })
    .map(([kind, { calls, asExpected, errors }]) => {
      const refused = kind !== "invalid" && errors > 0 ? ` (${errors} isError)` : "";
      return `${kind} ${asExpected}/${calls}${refused}`;
    })
    .join(", ");
}

function count(findings: readonly Finding[]): Counts {
  const must = findings.filter(({ severity }) => severity === "must").length;
  return { must, should: findings.length - must };
}

function sortKey({ profile, server, tool = "", severity, path }: Finding): string {
  return [PROFILE_NAMES.indexOf(profile), server, tool, severity, path].join("\0");
}
