import type { Host } from "@toolrail/core";
import { checkContract } from "@toolrail/core/contract";
import { createValidator, providerSchema } from "@toolrail/core/json";
import { estimateTokenCount } from "tokenx";
import type { Flags } from "./command-line.ts";
import type { CommandCall, Outcome } from "./run-toolrail.ts";
import { type Session, withHost } from "./servers.ts";
import { plainText, renderTree, type Style, type TreeNode } from "./terminal.ts";

/** A problem of a server or a tool. */
interface Finding {
  readonly profile: Flags["profile"];
  readonly severity: "must" | "should";
  readonly server: string;
  /** The tool's name. Absent if the whole server is affected. */
  readonly tool?: string;
  readonly rule: string;
  /** The JSON pointer into the tool's definition. */
  readonly path: string;
  readonly message: string;
}

/** Checks the definitions of all tools and estimates their cost for a model. */
export async function runCheck(call: CommandCall): Promise<Outcome> {
  const { profile } = call.flags;
  return withHost(call, async (session) => {
    const report = createReport(profile, session);
    return { ok: report.ok, document: report, text: (style) => renderReport(report, style) };
  });
}

type Report = ReturnType<typeof createReport>;

/** Creates the document of `toolrail check --json`. */
function createReport(profile: Flags["profile"], { host, servers }: Session) {
  const sortKey = ({ server, tool, severity, path }: Finding) =>
    [server, tool, severity, path].join("\0");
  const findings = findProblems(host)
    .filter((finding) => finding.profile === profile)
    .toSorted((a, b) => (sortKey(a) < sortKey(b) ? -1 : 1));
  const names = servers.map(({ name }) => name);
  const costs = estimateCosts(host, names);
  const tokens = costs.reduce((sum, cost) => sum + cost.tokens, 0);
  const must = findings.filter(({ severity }) => severity === "must").length;
  const counts = { servers: servers.length, tools: host.tools.length, tokens };
  const summary = { ...counts, must, should: findings.length - must };
  return { ok: must === 0, summary, servers: costs, findings };
}

/** Finds all problems of servers and of the definitions of their tools, including tools that are not offered. */
function findProblems({ tools, problems }: Host): Finding[] {
  const validator = createValidator();
  return [
    ...problems.flatMap(({ server, tool, code: rule, message }) => {
      const isOffered = tools.some((one) => one.server === server && one.name === tool);
      // It is unknown if any other keeps the contract, so it fails that profile too.
      const profiles = isOffered ? (["mcp"] as const) : (["mcp", "contract"] as const);
      const severity = rule === "task-required" ? "should" : "must"; // Such a tool is valid.
      const place = { server, ...(tool !== undefined && { tool }), path: "" };
      return profiles.map((profile): Finding => ({ profile, severity, ...place, rule, message }));
    }),
    ...tools.flatMap((tool) =>
      checkContract(tool, { validator }).map(({ source: profile, ...finding }): Finding => {
        return { profile, ...finding, server: tool.server, tool: tool.name };
      }),
    ),
  ];
}

/** Estimates the tokens of each server's tools, in each request to a model, in the form in which providers receive them. */
export function estimateCosts({ tools }: Pick<Host, "tools">, servers: readonly string[]) {
  return servers.map((server) => {
    const offered = tools.filter((tool) => tool.server === server && tool.forModel);
    const sent = offered.map(({ modelName: name, description, inputSchema }) => {
      const { description: more, ...parameters } = providerSchema(inputSchema);
      return { type: "function", function: { name, description, parameters, more } };
    });
    const tokens = sent.reduce((sum, tool) => sum + estimateTokenCount(JSON.stringify(tool)), 0);
    return { server, tools: offered.length, tokens };
  });
}

/**
 * Renders a report for people: the problems with their places, once for each reason, then the cost of each server and a summary.
 */
function renderReport({ ok, summary, servers, findings }: Report, { colours }: Style): string {
  const { green, red, dim, underline } = colours;
  const groups = new Map<string, Finding[]>();
  for (const finding of findings) {
    const { severity, rule, message } = finding;
    const key = [severity, rule, message].join("\0");
    groups.set(key, [...(groups.get(key) ?? []), finding]);
  }
  const worstFirst = [...groups].toSorted(([a], [b]) => (a < b ? -1 : 1));
  const costs = servers.map(({ server, tools, tokens }) => ({
    label: `${plainText(server)}: ${countText(tools, "tool")}, about ${numberText(tokens)} tokens`,
  }));
  const { must, should, tokens } = summary;
  const all = `${countText(summary.tools, "tool")} of ${countText(servers.length, "server")}`;
  const problems = `${must} must be fixed, ${should} should be.`;
  const advice = must > 0 ? ["Fix what is marked MUST first: hosts refuse it."] : [];
  const total = `${ok ? green("✔") : red("✖")} ${all}, about ${numberText(tokens)} tokens: ${problems}`;
  return [
    ...worstFirst.map(([, group]) => renderTree([toNode(group, colours)], dim)),
    renderTree([{ label: underline("In each request to a model"), children: costs }], dim),
    [total, ...advice].join("\n"),
  ].join("\n\n");
}

/** Draws the findings that have one reason, with their places. */
function toNode(group: readonly Finding[], { red, yellow, bold, dim }: Style["colours"]): TreeNode {
  const [{ severity, rule, message }] = group as readonly [Finding];
  const places = group.map(({ server, tool, path }) => {
    const place = tool === undefined ? server : `${server}.${tool}`;
    return { label: `${bold(plainText(place))} ${dim(plainText(path))}` };
  });
  const paint = severity === "must" ? red : yellow;
  const label = `${paint(severity.toUpperCase())} ${rule}: ${plainText(message)}`;
  return { label, children: places };
}

function countText(count: number, what: string): string {
  return `${numberText(count)} ${what}${count === 1 ? "" : "s"}`;
}

function numberText(value: number): string {
  return value.toLocaleString("en-US");
}
