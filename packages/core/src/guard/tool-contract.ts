import { createValidator } from "#validator";
import type { HostTool } from "../host/tool.ts";
import { isJsonObject } from "../json.ts";
import type { JsonSchemaValidator } from "../schema/json-schema.ts";
import { type ContractFinding, type Finding, must, should } from "./contract-finding.ts";
import { hiddenTextIn } from "./hidden-text.ts";
import { checkInputContract } from "./input-contract.ts";
import { checkOutputContract } from "./output-contract.ts";

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
    ...checkDescription(tool),
    ...checkHiddenText(tool),
    ...checkInputContract(tool.inputSchema, validator),
    ...checkOutputContract(tool.outputSchema, validator),
    ...checkAnnotations(tool.annotations),
  ];
  if (hasParser === false) {
    const message = "The host has no typed parser for it: register one under `schemas`.";
    findings.push(should("typed-parser", "", message));
  }
  const name = tool.id ?? tool.name;
  const order = (finding: Finding) => (finding.severity === "must" ? 0 : 1);
  return findings
    .sort((a, b) => order(a) - order(b))
    .map((finding) => ({ ...finding, tool: name }));
}

function checkName(name: unknown): Finding[] {
  if (typeof name === "string" && /^[A-Za-z0-9_.-]{1,128}$/.test(name)) return [];
  const message =
    "Its name should be 1 to 128 characters of A-Z, a-z, 0-9, _, - and . (MCP 2026-07-28): rename it.";
  return [(typeof name === "string" && name !== "" ? should : must)("name", "/name", message)];
}

function checkDescription({ name, description }: ContractTool): Finding[] {
  const path = "/description";
  if (typeof description !== "string" || description.trim() === "") {
    return [must("description", path, "It has no description: say what the tool does.")];
  }
  const isName = typeof name === "string" && plain(description) === plain(name);
  if (!isName && description.trim().length >= 10) return [];
  const message = "Its description says no more than its name: say what the tool does.";
  return [should("description", path, message)];
}

/** Wherever a model may read it. */
function checkHiddenText(tool: ContractTool): Finding[] {
  const { name, title, description, inputSchema, outputSchema, annotations } = tool;
  const read = { name, title, description, inputSchema, outputSchema, annotations };
  const message = "It holds characters that nobody can see: remove them.";
  return hiddenTextIn(read).map((path) => must("hidden-text", path, message));
}

function plain(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
}

function checkAnnotations(annotations: unknown): Finding[] {
  if (annotations === undefined) return [];
  const path = "/annotations";
  if (!isJsonObject(annotations)) {
    const message = "Its annotations are not an object: correct or remove them.";
    return [should("annotations", path, message)];
  }
  const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = annotations;
  const hints = { readOnlyHint, destructiveHint, idempotentHint, openWorldHint };
  const odd = Object.entries(hints).filter(
    ([, value]) => value !== undefined && typeof value !== "boolean",
  );
  const findings = odd.map(([key]) =>
    should("annotations", `${path}/${key}`, `${key} is neither true nor false: correct it.`),
  );
  if (readOnlyHint !== true || destructiveHint !== true) return findings;
  const message = "It claims to be both read-only and destructive: say which it is.";
  return [...findings, must("annotations", path, message)];
}
