import type { Plugin } from "../call/plugin.ts";
import type { ToolFinding } from "../call/tool.ts";
import { createOptionCheck, isObject, withMethods } from "../check-options.ts";
import { invalidOptions } from "../errors.ts";
import { isJsonObject } from "../json/json.ts";
import { escapePointer } from "../json/path.ts";
import { hasHiddenText } from "../json/plain-text.ts";
import { createValidator, type JsonSchemaValidator } from "../json/validator.ts";
import { checkSchema } from "./check-schema.ts";

/** A tool of a host, or a tool definition as a server lists it. */
export interface ContractTool {
  readonly name: string;
  readonly id?: string;
  readonly title?: unknown;
  readonly description?: unknown;
  readonly inputSchema?: unknown;
  readonly outputSchema?: unknown;
  readonly annotations?: unknown;
}

/** The name of a requirement on a tool. */
export type ContractRule =
  | "name"
  | "description"
  | "hidden-text"
  | "input-schema"
  | "output-schema"
  | "argument-description"
  | "free-form"
  | "required"
  | "default"
  | "closed-object";

/** A requirement that a tool breaks. */
export interface ContractFinding extends ToolFinding {
  readonly rule: ContractRule;
  /** The source of the requirement: the MCP specification (2026-07-28), or Toolrail's stricter tool contract. */
  readonly source: "mcp" | "contract";
}

/** Adds a finding about a tool. The default `source` is `"contract"`. */
export type Report = (
  severity: ContractFinding["severity"],
  rule: ContractRule,
  found: { path: string; message: string; source?: ContractFinding["source"] },
) => void;

/** The options of `checkContract`. */
export interface ContractOptions {
  /** The validator that compiles the schemas. Share one to check many tools. Default: Ajv. */
  readonly validator?: JsonSchemaValidator;
}

const checkOptions = /* @__PURE__ */ createOptionCheck<ContractOptions>("checkContract", {
  validator: withMethods("a validator", ["getValidator"]),
});

/** Returns the requirements of MCP and of the contract that a tool breaks, those with severity `must` first. */
export function checkContract(
  tool: ContractTool,
  options: ContractOptions = {},
): readonly ContractFinding[] {
  checkOptions(options);
  if (!isObject(tool))
    throw invalidOptions("checkContract takes a tool: one of `host.tools`, or a definition.");
  const { validator = createValidator() } = options;
  const findings: ContractFinding[] = [];
  const report: Report = (severity, rule, found) =>
    findings.push({ tool: tool.id ?? tool.name, rule, severity, source: "contract", ...found });
  checkName(tool.name, report);
  checkDescription(tool, report);
  checkHiddenText(tool, report);
  checkSchema(tool.inputSchema, { side: "inputSchema", validator, report });
  checkSchema(tool.outputSchema, { side: "outputSchema", validator, report });
  return findings.sort((a, b) => a.severity.localeCompare(b.severity));
}

function checkName(name: unknown, report: Report): void {
  if (typeof name === "string" && /^[A-Za-z0-9_.-]{1,128}$/.test(name)) return;
  const message =
    "Its name should be 1 to 128 characters of A-Z, a-z, 0-9, _, - and . (MCP 2026-07-28): rename it.";
  const severity = typeof name === "string" && name !== "" ? "should" : "must";
  report(severity, "name", { path: "/name", message, source: "mcp" });
}

function checkDescription({ name, description }: ContractTool, report: Report): void {
  const text = typeof description === "string" ? description.trim() : "";
  const path = "/description";
  const isName = plain(text) === plain(String(name));
  if (text === "") {
    const message = "It has no description: say what the tool does.";
    report("must", "description", { path, message });
  } else if (isName || text.length < 10) {
    const message = "Its description says no more than its name: say what the tool does.";
    report(isName ? "must" : "should", "description", { path, message });
  }
}

function plain(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
}

/** Checks the strings and keys of a definition for characters that a person cannot see. */
function checkHiddenText(tool: ContractTool, report: Report): void {
  const { name, title, description, inputSchema, outputSchema, annotations } = tool;
  const message = "It contains invisible characters: remove them.";
  const read = { name, title, description, inputSchema, outputSchema, annotations };
  const open: [unknown, string][] = [[read, ""]];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [node, path] = next;
    if (typeof node === "string" && hasHiddenText(node))
      report("must", "hidden-text", { path, message });
    if (!Array.isArray(node) && !isJsonObject(node)) continue;
    for (const [key, inner] of Object.entries(node)) {
      const place = `${path}/${escapePointer(key)}`;
      if (hasHiddenText(key)) report("must", "hidden-text", { path: place, message });
      open.push([inner, place]);
    }
  }
}

const checkNone = /* @__PURE__ */ createOptionCheck("contract", {});

/** Creates a plugin that quarantines each tool that breaks a `must` of its contract: see `checkContract`. */
export function contract(options: Readonly<Record<string, never>> = {}): Plugin {
  checkNone(options);
  const checkTool: Plugin["checkTool"] = (tool, context) => {
    const findings = checkContract(tool, context).filter(({ severity }) => severity === "must");
    if (findings.length === 0) return {};
    const count = `${findings.length} ${findings.length === 1 ? "finding" : "findings"}`;
    const list = findings.map(({ path, message }) => `${path || "/"}: ${message}`).join(" ");
    const message = `Tool ${tool.id} is not offered: it has ${count} against its contract. ${list}`;
    const { server, name } = tool;
    return {
      problem: { server, tool: name, code: "contract", message, findings },
      isRefused: true,
    };
  };
  return { name: "contract", checkTool };
}
