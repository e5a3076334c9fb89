import { createOptionCheck, isObject, withMethods } from "../check-options.ts";
import { invalidOptions } from "../errors.ts";
import { isJsonObject } from "../json/json.ts";
import { escapePointer } from "../json/path.ts";
import { hasHiddenText } from "../json/plain-text.ts";
import type { JsonSchemaValidator } from "../json/validator.ts";
import { createValidator } from "../json/validator.ts";
import { checkSchema } from "./check-schema.ts";
import type { ContractFinding, Report } from "./contract-finding.ts";

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

/** The options of `checkContract`. */
export interface ContractOptions {
  /** The validator that compiles the schemas. Share one to check many tools. Default: Ajv. */
  readonly validator?: JsonSchemaValidator;
  /** True if the host has a typed parser for the tool. False, if it has none, is a finding. Default: not checked. */
  readonly hasParser?: boolean;
}

const checkOptions = /* @__PURE__ */ createOptionCheck<ContractOptions>("checkContract", {
  validator: withMethods("a validator", ["getValidator"]),
  hasParser: "boolean",
});

/** Returns the requirements of MCP and of the contract that a tool breaks, those with severity `must` first. */
export function checkContract(
  tool: ContractTool,
  options: ContractOptions = {},
): readonly ContractFinding[] {
  checkOptions(options);
  if (!isObject(tool))
    throw invalidOptions("checkContract takes a tool: one of `host.tools`, or a definition.");
  const { validator = createValidator(), hasParser } = options;
  const findings: ContractFinding[] = [];
  const add =
    (severity: ContractFinding["severity"]): Report["must"] =>
    (rule, found) => {
      const about = { tool: tool.id ?? tool.name, rule, severity, source: "contract" } as const;
      findings.push({ ...about, ...found });
    };
  const report = { must: add("must"), should: add("should") };
  checkName(tool.name, report);
  checkDescription(tool, report);
  checkHiddenText(tool, report);
  checkSchema(tool.inputSchema, { side: "inputSchema", validator, report });
  checkSchema(tool.outputSchema, { side: "outputSchema", validator, report });
  checkAnnotations(tool.annotations, report);
  if (hasParser === false) {
    const message = "The host has no typed parser for it: register one under `schemas`.";
    report.should("typed-parser", { path: "", message });
  }
  return findings.sort((a, b) => a.severity.localeCompare(b.severity));
}

function checkName(name: unknown, report: Report): void {
  if (typeof name === "string" && /^[A-Za-z0-9_.-]{1,128}$/.test(name)) return;
  const message =
    "Its name should be 1 to 128 characters of A-Z, a-z, 0-9, _, - and . (MCP 2026-07-28): rename it.";
  const severity = typeof name === "string" && name !== "" ? "should" : "must";
  report[severity]("name", { path: "/name", message, source: "mcp" });
}

function checkDescription({ name, description }: ContractTool, report: Report): void {
  const text = typeof description === "string" ? description.trim() : "";
  const path = "/description";
  if (text === "") {
    const message = "It has no description: say what the tool does.";
    report.must("description", { path, message });
  } else if (text.length < 10 || plain(text) === plain(String(name))) {
    const message = "Its description says no more than its name: say what the tool does.";
    const severity = plain(text) === plain(String(name)) ? "must" : "should";
    report[severity]("description", { path, message });
  }
}

function plain(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
}

function checkHiddenText(tool: ContractTool, report: Report): void {
  const { name, title, description, inputSchema, outputSchema, annotations } = tool;
  const message = "It contains invisible characters: remove them.";
  const read = { name, title, description, inputSchema, outputSchema, annotations };
  for (const path of hiddenTextIn(read)) report.must("hidden-text", { path, message });
}

/** Finds hidden text in the strings and keys of a value. Returns JSON pointers to them. */
function hiddenTextIn(value: unknown): string[] {
  const found: string[] = [];
  const open: [unknown, string][] = [[value, ""]];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [node, path] = next;
    if (typeof node === "string" && hasHiddenText(node)) found.push(path);
    if (!Array.isArray(node) && !isJsonObject(node)) continue;
    for (const [key, inner] of Object.entries(node)) {
      const place = `${path}/${escapePointer(key)}`;
      if (hasHiddenText(key)) found.push(place);
      open.push([inner, place]);
    }
  }
  return found;
}

const HINTS = ["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"];

function checkAnnotations(annotations: unknown, report: Report): void {
  if (annotations === undefined) return;
  const path = "/annotations";
  if (!isJsonObject(annotations)) {
    const message = "Its annotations are not an object: correct or remove them.";
    report.should("annotations", { path, message, source: "mcp" });
    return;
  }
  for (const key of HINTS) {
    if (["undefined", "boolean"].includes(typeof annotations[key])) continue;
    const message = `${key} is neither true nor false: correct it.`;
    report.should("annotations", { path: `${path}/${key}`, message, source: "mcp" });
  }
  if (annotations.readOnlyHint === true && annotations.destructiveHint === true) {
    const message = "It claims to be both read-only and destructive: say which it is.";
    report.must("annotations", { path, message });
  }
}
