import { plainText, renderTree, type Style, type TreeNode } from "./terminal.ts";

/**
 * The origin of a requirement, as a title: the MCP specification (what it requires, and what keeps a host or a large provider
 * from using a server or a tool), or Toolrail's additional tool contract.
 */
const PROFILES = { mcp: "MCP specification", contract: "Tool contract" } as const;

export type Profile = keyof typeof PROFILES;

/** A problem of a server or a tool. */
export interface Finding {
  readonly profile: Profile;
  readonly severity: "must" | "should";
  readonly server: string;
  /** The tool's name. Absent if the whole server is affected. */
  readonly tool?: string;
  readonly rule: string;
  /** The JSON pointer into the tool's definition. */
  readonly path: string;
  readonly message: string;
}

export interface ServerCost {
  readonly server: string;
  readonly tools: number;
  /** The estimated tokens of the tools' definitions in each request to a model. */
  readonly tokens: number;
}

/** The document of `toolrail check --json`. */
interface CheckReport {
  /** False if any finding is a `must`. */
  readonly ok: boolean;
  readonly summary: Readonly<Record<"servers" | "tools" | "tokens" | Finding["severity"], number>>;
  readonly servers: readonly ServerCost[];
  /** The findings by server and tool, the worst first. */
  readonly findings: readonly Finding[];
}

export function createCheckReport(
  found: readonly Finding[],
  { servers, tools }: { readonly servers: readonly ServerCost[]; readonly tools: number },
): CheckReport {
  const sortKey = ({ server, tool, severity, path }: Finding) =>
    [server, tool, severity, path].join("\0");
  const findings = found.toSorted((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1));
  const must = findings.filter(({ severity }) => severity === "must").length;
  const tokens = servers.reduce((sum, server) => sum + server.tokens, 0);
  const counts = { servers: servers.length, tools, tokens };
  const summary = { ...counts, must, should: findings.length - must };
  return { ok: must === 0, summary, servers, findings };
}

/**
 * Renders a report for people: the problems with their places, once for each reason, then the cost of each server and a summary.
 */
export function renderCheck(report: CheckReport, { colours }: Style): string {
  const { ok, summary, servers, findings } = report;
  const { green, red, yellow, bold, dim, underline } = colours;
  const toNode = (group: readonly Finding[]): TreeNode => {
    const [{ severity, rule, message }] = group as readonly [Finding];
    const paint = severity === "must" ? red : yellow;
    const places = group.slice(0, MOST_PLACES).map((finding) => {
      return { label: `${bold(plainText(toPlace(finding)))} ${dim(plainText(finding.path))}` };
    });
    const rest = group.length - places.length;
    const more = rest > 0 ? [{ label: dim(`and ${rest} more: --json lists all`) }] : [];
    const label = `${paint(severity.toUpperCase())} ${rule}: ${plainText(message)}`;
    return { label, children: [...places, ...more] };
  };
  const groups: Record<string, Finding[]> = {};
  for (const finding of findings) {
    const { severity, rule, message } = finding;
    const key = [severity, rule, message].join("\0");
    groups[key] = [...(groups[key] ?? []), finding];
  }
  const worstFirst = Object.entries(groups).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const parts = worstFirst.map(([, group]) => renderTree([toNode(group)], dim));
  const [first] = findings; // All findings have the profile that was asked for.
  if (first) parts.unshift(underline(PROFILES[first.profile]));
  const costs = servers.map(({ server, tools, tokens }) => ({
    label: `${plainText(server)}: ${countText(tools, "tool")}, about ${numberText(tokens)} tokens`,
  }));
  parts.push(
    renderTree([{ label: underline("In each request to a model"), children: costs }], dim),
  );
  const { must, should } = summary;
  const all = `${countText(summary.tools, "tool")} of ${countText(servers.length, "server")}`;
  const mark = ok ? green("✔") : red("✖");
  const cost = `about ${numberText(summary.tokens)} tokens`;
  const total = `${mark} ${all}, ${cost}: ${must} must be fixed, ${should} should be.`;
  return [...parts, [total, ...listAdvice(report)].join("\n")].join("\n\n");
}

const MOST_PLACES = 5;
/** The tokens from which a list takes up a good part of what a model reads well. */
const MANY_TOKENS = 10_000;

function listAdvice({ summary }: CheckReport): string[] {
  const { must, tokens } = summary;
  return [
    ...(must > 0 ? ["Fix what is marked MUST first: hosts or providers refuse it."] : []),
    ...(tokens > MANY_TOKENS
      ? ["Offer a model fewer tools: see `allow` of createHost and `tools` of createTools."]
      : []),
  ];
}

function countText(count: number, what: string): string {
  return `${numberText(count)} ${what}${count === 1 ? "" : "s"}`;
}

function numberText(value: number): string {
  return value.toLocaleString("en-US");
}

function toPlace({ server, tool }: Pick<Finding, "server" | "tool">): string {
  return tool === undefined ? server : `${server}.${tool}`;
}
