import { checkContract, createValidator, type Host } from "@toolrail/core";
import type { ProgramState } from "../servers/process-transport.ts";
import type { Finding } from "./finding.ts";

/** A server that logs where messages belong (MCP 2026-07-28, stdio). */
export function findStrayOutput(server: string, program: ProgramState | undefined): Finding[] {
  const { lines = 0, first } = program?.stray ?? {};
  if (lines === 0) return [];
  const message = `It writes to its standard output what is no MCP message (${lines} lines; ${first}): log to stderr.`;
  return [{ severity: "must", server, rule: "stdout", path: "", message }];
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
