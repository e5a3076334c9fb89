import type { Host, Tool } from "@toolrail/core";
import { checkContract } from "@toolrail/core/contract";
import { createValidator, providerSchema } from "@toolrail/core/json";
import { estimateTokenCount } from "tokenx";
import {
  createCheckReport,
  type Finding,
  type Profile,
  renderCheck,
  type ServerCost,
} from "./check-report.ts";
import type { OpenServers } from "./open-servers.ts";
import type { CommandCall, Outcome } from "./run-toolrail.ts";
import { withHost } from "./session.ts";

/** Checks the definitions of all tools and estimates their cost for a model. */
export async function runCheck({ flags, context }: CommandCall): Promise<Outcome> {
  const { profile } = flags;
  return withHost({ flags, context }, async ({ host, servers: open }) => {
    const findings = findProblems(host, open).filter((one) => one.profile === profile);
    const servers = estimateCosts(host, Object.keys(open.options));
    const report = createCheckReport(findings, { servers, tools: host.tools.length });
    return { ok: report.ok, document: report, text: (style) => renderCheck(report, style) };
  });
}

/** Finds all problems of servers and of the definitions of their tools, including tools that are not offered. */
function findProblems(host: Host, servers: OpenServers): Finding[] {
  const { tools, problems } = host;
  const validator = createValidator();
  const unchecked = problems.filter(({ server, tool }) => {
    return !tools.some((one) => one.server === server && one.name === tool);
  });
  return [
    ...Object.keys(servers.options).flatMap((server) => findStrayOutput(server, servers)),
    ...problems.map((problem) => toFinding(problem, "mcp")),
    // It is unknown if these keep the contract, so they fail that profile too.
    ...unchecked.map((problem) => toFinding(problem, "contract")),
    ...tools.flatMap(findProviderFindings),
    ...tools.flatMap((tool) =>
      checkContract(tool, { validator }).map(({ source: profile, ...finding }): Finding => {
        return { profile, ...finding, server: tool.server, tool: tool.name };
      }),
    ),
  ];
}

function toFinding(problem: Host["problems"][number], profile: Profile): Finding {
  const { server, tool, code: rule, message } = problem;
  const place = { server, ...(tool !== undefined && { tool }), path: "" };
  const severity = rule === "task-required" ? "should" : "must"; // Such a tool is valid.
  return { profile, severity, ...place, rule, message };
}

/** Finds a server that writes logs where MCP messages belong (MCP 2026-07-28, stdio). */
function findStrayOutput(server: string, servers: OpenServers): Finding[] {
  const { strayLines = 0, firstStray } = servers.output(server) ?? {};
  if (strayLines === 0) return [];
  const message = `It writes ${strayLines} lines to its standard output that are not MCP messages (${firstStray}): log to stderr.`;
  return [{ profile: "mcp", severity: "must", server, rule: "stdout", path: "", message }];
}

/** The keywords that large providers refuse at the top of a schema, by their published rules. */
const AT_TOP = ["anyOf", "oneOf", "allOf", "not", "enum", "const"];

/** Finds what providers refuse in a tool. A host that passes such a tool on unchanged loses the whole request. */
function findProviderFindings({ server, name: tool, inputSchema }: Tool): Finding[] {
  const should = (key: string, message: string): Finding => {
    const place = { server, tool, path: `/inputSchema/${key}` };
    return { profile: "mcp", severity: "should", ...place, rule: "provider-schema", message };
  };
  const { properties } = inputSchema;
  if (properties === undefined) {
    const why = 'OpenAI refuses an inputSchema without properties: add "properties": {}.';
    return [should("properties", why)];
  }
  const unions = AT_TOP.filter((keyword) => Object.hasOwn(inputSchema, keyword));
  const names = Object.keys(Object(properties)).filter((key) => !/^[\w.-]{1,64}$/.test(key));
  return [
    ...unions.map((keyword) => {
      const why = `OpenAI and others refuse ${keyword} at the top of an inputSchema: move it into a property, or make two tools.`;
      return should(keyword, why);
    }),
    ...names.map((key) => {
      const why = `Anthropic refuses the property ${JSON.stringify(key)}: use at most 64 of A-Z, a-z, 0-9, "_", "." and "-".`;
      return should("properties", why);
    }),
  ];
}

/** Estimates the tokens of each server's tools in the form in which providers receive them. */
export function estimateCosts(
  { tools }: Pick<Host, "tools">,
  servers: readonly string[],
): ServerCost[] {
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
