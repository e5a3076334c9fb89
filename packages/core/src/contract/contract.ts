import { createOptionCheck } from "../check-options.ts";
import type { Plugin } from "../types/plugin.ts";
import { checkContract } from "./check-contract.ts";

/** The options of `contract`. */
export interface EnforceContractOptions {
  /** True reports all findings of a tool as a problem of the host, and quarantines no tool. Default false. */
  readonly report?: boolean;
}

const checkOptions = /* @__PURE__ */ createOptionCheck<EnforceContractOptions>("contract", {
  report: "boolean",
});

/** Creates a plugin that quarantines each tool that breaks a `must` of its contract: see `checkContract`. */
export function contract(options: EnforceContractOptions = {}): Plugin {
  checkOptions(options);
  const { report = false } = options;
  const checkTool: Plugin["checkTool"] = (tool, context) => {
    const findings = checkContract(tool, context).filter(
      ({ severity }) => report || severity === "must",
    );
    if (findings.length === 0) return {};
    const verb = report ? "has" : "is not offered: it has";
    const count = `${findings.length} ${findings.length === 1 ? "finding" : "findings"}`;
    const list = findings.map((one) => `${one.severity}, ${one.path || "/"}: ${one.message}`);
    const message = `Tool ${tool.id} ${verb} ${count} against its contract. ${list.join(" ")}`;
    const { server, name } = tool;
    return {
      problem: { server, tool: name, code: "contract", message, findings },
      isRefused: !report,
    };
  };
  return { name: "contract", checkTool };
}
