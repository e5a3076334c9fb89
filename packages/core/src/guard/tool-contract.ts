import { createValidator } from "#validator";
import type { HostTool } from "../host/tool.ts";
import { isJsonObject } from "../json.ts";
import type { JsonSchemaValidator } from "../schema/json-schema.ts";
import type { ContractFinding, Finding } from "./contract-finding.ts";
import { hasHiddenText } from "./hidden-text.ts";
import { checkInputContract, checkOutputContract } from "./schema-contract.ts";

/** A tool of a host, or a definition as a server lists it. */
export interface ContractTool {
  readonly name: string;
  readonly id?: string;
  readonly title?: unknown;
  readonly description?: unknown;
  readonly inputSchema?: unknown;
  readonly outputSchema?: unknown;
  readonly annotations?: unknown;
}

export interface ContractOptions {
  /** Compiles the schemas. Default: Ajv; pass one validator for many tools. */
  readonly validator?: JsonSchemaValidator;
  /** Whether the host has a typed parser for the tool. Left out, the question is not asked. */
  readonly hasParser?: boolean;
}

/** Every point where a tool breaks the contract of the guard, the ones that must be mended first. */
export function checkContract(
  tool: HostTool | ContractTool,
  { validator = createValidator(), hasParser }: ContractOptions = {},
): readonly ContractFinding[] {
  const findings: Finding[] = [
    ...checkName(tool.name),
    ...checkTexts(tool),
    ...checkInputContract(tool.inputSchema, validator),
    ...checkOutputContract(tool.outputSchema, validator),
    ...checkAnnotations(tool.annotations),
  ];
  if (hasParser === false) {
    const message = "The host has no typed parser for it: register one under `schemas`.";
    findings.push({ rule: "typed-parser", severity: "should", path: "", message });
  }
  const name = tool.id ?? tool.name;
  const order = (finding: Finding) => (finding.severity === "must" ? 0 : 1);
  return findings
    .sort((a, b) => order(a) - order(b))
    .map((finding) => ({ ...finding, tool: name }));
}

function checkName(name: string): Finding[] {
  if (/^[A-Za-z0-9_.-]{1,128}$/.test(name)) return [];
  const message =
    "Its name should be 1 to 128 characters of A-Z, a-z, 0-9, _, - and . (MCP 2026-07-28): rename it.";
  return [{ rule: "name", severity: name === "" ? "must" : "should", path: "/name", message }];
}

function checkTexts({ name, title, description }: ContractTool): Finding[] {
  const findings: Finding[] = [];
  const path = "/description";
  if (typeof description !== "string" || description.trim() === "") {
    const message = "It has no description: say what the tool does.";
    findings.push({ rule: "description", severity: "must", path, message });
  } else if (plain(description) === plain(name) || description.trim().length < 10) {
    const message = "Its description says no more than its name: say what the tool does.";
    findings.push({ rule: "description", severity: "should", path, message });
  }
  for (const [key, text] of Object.entries({ name, title, description })) {
    if (typeof text !== "string" || !hasHiddenText(text)) continue;
    const message = `Its ${key} holds characters that nobody can see: remove them.`;
    findings.push({ rule: "hidden-text", severity: "must", path: `/${key}`, message });
  }
  return findings;
}

function plain(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
}

function checkAnnotations(annotations: unknown): Finding[] {
  if (annotations === undefined) return [];
  const path = "/annotations";
  if (!isJsonObject(annotations)) {
    const message = "Its annotations are not an object: correct or remove them.";
    return [{ rule: "annotations", severity: "should", path, message }];
  }
  const findings: Finding[] = [];
  const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = annotations;
  const hints = { readOnlyHint, destructiveHint, idempotentHint, openWorldHint };
  for (const [key, value] of Object.entries(hints)) {
    if (value === undefined || typeof value === "boolean") continue;
    const message = `${key} is neither true nor false: correct it.`;
    findings.push({ rule: "annotations", severity: "should", path: `${path}/${key}`, message });
  }
  if (readOnlyHint === true && destructiveHint === true) {
    const message = "It claims to be both read-only and destructive: say which it is.";
    findings.push({ rule: "annotations", severity: "must", path, message });
  }
  return findings;
}
