import { ToolrailError } from "../errors.ts";
import type { ContractFinding } from "../guard/contract-finding.ts";
import { changedFields, type ToolPins } from "../guard/fingerprint.ts";
import { checkContract } from "../guard/tool-contract.ts";
import { isJsonObject, type JsonObject } from "../json.ts";
import type { JsonSchemaValidator } from "../schema/json-schema.ts";
import type { HostOptions } from "./host-options.ts";
import type { HostProblem, HostTool } from "./tool.ts";
import type { ToolScreen } from "./tool-catalog.ts";

/** Makes `contract` and `pins` a screen. Throws `invalid-options` for values that are neither. */
export function createToolScreen(
  { contract, pins, schemas = {} }: Pick<HostOptions, "contract" | "pins" | "schemas">,
  validator: JsonSchemaValidator,
): ToolScreen {
  if (contract !== undefined && contract !== "enforce" && contract !== "report") {
    const message = `contract is ${JSON.stringify(contract)}; use "enforce" or "report".`;
    throw new ToolrailError("invalid-options", message);
  }
  if (pins !== undefined && !isJsonObject(pins)) {
    const message = "pins must be what fingerprintTools made of the approved tools.";
    throw new ToolrailError("invalid-options", message);
  }
  const checked = new WeakMap<JsonObject, { text: string; findings: readonly ContractFinding[] }>();
  const findingsOf = (tool: HostTool): readonly ContractFinding[] => {
    const text = JSON.stringify(tool);
    const known = checked.get(tool.inputSchema);
    if (known?.text === text) return known.findings;
    const hasParser = Object.hasOwn(schemas, tool.id);
    const findings = checkContract(tool, { validator, hasParser });
    checked.set(tool.inputSchema, { text, findings });
    return findings;
  };
  return (tool) => {
    const pinned = pins && pinProblem(tool, pins);
    if (pinned) return { problem: pinned, isRefused: true };
    if (contract === undefined) return {};
    const findings = findingsOf(tool);
    const broken = findings.filter(({ severity }) => severity === "must");
    if (contract === "report") {
      return findings.length > 0 ? { problem: contractProblem(tool, findings, "has") } : {};
    }
    if (broken.length === 0) return {};
    return {
      problem: contractProblem(tool, broken, "is not offered, for it has"),
      isRefused: true,
    };
  };
}

function contractProblem(
  { server, name, id }: HostTool,
  findings: readonly ContractFinding[],
  says: string,
): HostProblem {
  const list = findings.map(
    ({ severity, path, message }) => `${severity}, ${path || "/"}: ${message}`,
  );
  const count = `${findings.length} ${findings.length === 1 ? "finding" : "findings"}`;
  const message = `Tool ${id} ${says} ${count} against its contract. ${list.join(" ")}`;
  return { server, tool: name, code: "contract", message, findings };
}

function pinProblem(tool: HostTool, pins: ToolPins): HostProblem | undefined {
  const { server, name, id } = tool;
  const changed = changedFields(tool, pins);
  if (changed === undefined) {
    const message = `Tool ${id} is not offered: it has no pin. Approve it by adding its fingerprint to \`pins\`.`;
    return { server, tool: name, code: "tool-not-pinned", message };
  }
  if (changed.length === 0) return undefined;
  const message =
    `Tool ${id} is not offered: its ${changed.join(", ")} changed since it was approved. ` +
    "Look at it, and renew its fingerprint in `pins` to approve it again.";
  return { server, tool: name, code: "tool-changed", message };
}
