import { checkContract, createValidator, type Host } from "@toolrail/core";
import type { OpenServers } from "../servers/open-servers.ts";
import type { Finding } from "./finding.ts";

/** Servers that log where messages belong (MCP 2026-07-28, stdio). */
export function findStrayOutput(stray: ReturnType<OpenServers["stray"]>): Finding[] {
  return stray
    .filter(({ lines }) => lines > 0)
    .map(({ server, lines, first }) => ({
      severity: "must",
      server,
      rule: "stdout",
      path: "",
      message: `It writes to its standard output what is no MCP message (${lines} lines; ${first}): log to stderr.`,
    }));
}

/** Everything that the definitions of a host's tools get wrong, tools that are not offered included. */
export function findContractFindings({ tools, problems }: Host): Finding[] {
  const validator = createValidator();
  const listed = problems.map(
    ({ server, tool, code, message }): Finding => ({
      severity: "must",
      server,
      ...(tool !== undefined && { tool }),
      rule: code,
      path: "",
      message,
    }),
  );
  const checked = tools.flatMap((tool) =>
    checkContract(tool, { validator }).map(
      ({ severity, rule, path, message }): Finding => ({
        severity,
        server: tool.server,
        tool: tool.name,
        rule,
        path,
        message,
      }),
    ),
  );
  return [...listed, ...checked];
}
