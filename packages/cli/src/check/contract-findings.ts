import { checkContract, createAjvValidator, type Host } from "@toolrail/core";
import type { Finding } from "./finding.ts";

/** Everything that the definitions of a host's tools get wrong, tools that are not offered included. */
export function findContractFindings({ tools, problems }: Host): Finding[] {
  const validator = createAjvValidator();
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
