import { plainText } from "../terminal/plain-text.ts";
import type { Style } from "../terminal/style.ts";
import { renderTree, type TreeNode } from "../terminal/tree.ts";

/**
 * Who asks for it, as reports head it: the MCP specification (what it requires, and what keeps a host or
 * a large provider from using a server or a tool), or Toolrail's tool contract beyond it.
 */
export const PROFILES = { mcp: "MCP specification", contract: "Tool contract" } as const;

export type Profile = keyof typeof PROFILES;

/** One point where a server or a tool falls short. */
export interface Finding {
  readonly profile: Profile;
  /** A `must` makes the check fail. */
  readonly severity: "must" | "should";
  readonly server: string;
  /** Absent for what is wrong with the server as a whole. */
  readonly tool?: string;
  readonly rule: string;
  /** JSON pointer into the tool's definition. */
  readonly path: string;
  /** What is wrong and what to change. */
  readonly message: string;
}

/** What `toolrail check --json` prints. */
export interface CheckReport {
  /** False where a `must` is broken. */
  readonly ok: boolean;
  readonly summary: Readonly<Record<"servers" | "tools" | Finding["severity"], number>>;
  /** By server and tool, the worst first. */
  readonly findings: readonly Finding[];
}

/** Sorts the findings and sums them up. */
export function createCheckReport(
  found: readonly Finding[],
  counts: { readonly servers: number; readonly tools: number },
): CheckReport {
  const sortKey = ({ server, tool, severity, path }: Finding) =>
    [server, tool, severity, path].join("\0");
  const findings = found.toSorted((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1));
  const must = findings.filter(({ severity }) => severity === "must").length;
  const summary = { ...counts, must, should: findings.length - must };
  return { ok: must === 0, summary, findings };
}

/** A report for people: by profile and tool, what must be fixed first, and one line that sums it up. */
export function renderCheck({ ok, summary, findings }: CheckReport, { colours }: Style): string {
  const { green, red, yellow, bold, dim, underline } = colours;
  const toNode = ({ severity, rule, path, message }: Finding): TreeNode => {
    const paint = severity === "must" ? red : yellow;
    const label = `${paint(severity.toUpperCase())} ${rule} ${dim(plainText(path))}`;
    return { label, details: [plainText(message)] };
  };
  const parts = (Object.keys(PROFILES) as Profile[]).flatMap((profile) => {
    const own = findings.filter((finding) => finding.profile === profile);
    const trees = [...Map.groupBy(own, placeOf)].map(([place, group]) =>
      renderTree([{ label: bold(plainText(place)), children: group.map(toNode) }], dim),
    );
    return trees.length > 0 ? [underline(PROFILES[profile]), ...trees] : [];
  });
  const { tools, servers, must, should } = summary;
  const all = `${tools} tools of ${servers} ${servers === 1 ? "server" : "servers"}`;
  const mark = ok ? green("✔") : red("✖");
  return [...parts, `${mark} ${all}: ${must} must be fixed, ${should} should be.`].join("\n\n");
}

/** `server.tool`, or the server alone. */
function placeOf({ server, tool }: Pick<Finding, "server" | "tool">): string {
  return tool === undefined ? server : `${server}.${tool}`;
}
