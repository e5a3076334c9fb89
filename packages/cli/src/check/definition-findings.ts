import { createValidator, type Host } from "@toolrail/core";
import { checkContract } from "@toolrail/core/contract";
import type { ProgramState } from "../servers/process-transport.ts";
import type { Finding } from "./finding.ts";
import { findProviderFindings } from "./provider-findings.ts";

/** A server that logs where messages belong (MCP 2026-07-28, stdio). */
export function findStrayOutput(server: string, program: ProgramState | undefined): Finding[] {
  const { lines = 0, first } = program?.stray ?? {};
  if (lines === 0) return [];
  const message = `It writes ${lines} lines to its standard output that are not MCP messages (${first}): log to stderr.`;
  return [{ profile: "mcp", severity: "must", server, rule: "stdout", path: "", message }];
}

/** Everything that is wrong with the definitions of a host's tools, tools that are not offered included. */
export function findDefinitionFindings({ tools, problems }: Host): Finding[] {
  const validator = createValidator();
  return [
    ...problems.map(({ server, tool, code: rule, message }): Finding => {
      const place = { server, ...(tool !== undefined && { tool }), path: "" };
      const severity = rule === "task-required" ? "should" : "must"; // It is valid all the same.
      return { profile: "mcp", severity, ...place, rule, message };
    }),
    ...tools.flatMap(findProviderFindings),
    ...tools.flatMap((tool) =>
      checkContract(tool, { validator }).map(({ source: profile, ...finding }): Finding => {
        return { profile, ...finding, server: tool.server, tool: tool.name };
      }),
    ),
  ];
}
