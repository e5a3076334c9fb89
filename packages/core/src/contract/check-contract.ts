import { createValidator } from "#validator";
import { isJsonObject } from "../json.ts";
import type { JsonSchemaValidator } from "../schema/json-schema.ts";
import { at, type ContractFinding, type Finding } from "./contract-finding.ts";
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

/** Every point where a tool falls short of the MCP specification or of its contract, each `must` first. */
export function checkContract(
  tool: ContractTool,
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
    findings.push(at("").should("typed-parser", message));
  }
  return findings
    .sort((a, b) => a.severity.localeCompare(b.severity))
    .map((finding) => ({ ...finding, tool: tool.id ?? tool.name }));
}

function checkName(name: unknown): Finding[] {
  if (typeof name === "string" && /^[A-Za-z0-9_.-]{1,128}$/.test(name)) return [];
  const message =
    "Its name should be 1 to 128 characters of A-Z, a-z, 0-9, _, - and . (MCP 2026-07-28): rename it.";
  const severity = typeof name === "string" && name !== "" ? "should" : "must";
  return [at("/name", "mcp")[severity]("name", message)];
}

function checkDescription({ name, description }: ContractTool): Finding[] {
  const { must, should } = at("/description");
  if (typeof description !== "string" || description.trim() === "") {
    return [must("description", "It has no description: say what the tool does.")];
  }
  const isName = typeof name === "string" && plain(description) === plain(name);
  if (!isName && description.trim().length >= 10) return [];
  const message = "Its description says no more than its name: say what the tool does.";
  return [should("description", message)];
}

/** Wherever a model may read it. */
function checkHiddenText(tool: ContractTool): Finding[] {
  const { name, title, description, inputSchema, outputSchema, annotations } = tool;
  const read = { name, title, description, inputSchema, outputSchema, annotations };
  const message = "It contains invisible characters: remove them.";
  return hiddenTextIn(read).map((path) => at(path).must("hidden-text", message));
}

function plain(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");
}

const HINTS = ["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"];

function checkAnnotations(annotations: unknown): Finding[] {
  if (annotations === undefined) return [];
  if (!isJsonObject(annotations)) {
    const message = "Its annotations are not an object: correct or remove them.";
    return [at("/annotations", "mcp").should("annotations", message)];
  }
  const odd = HINTS.filter((key) => !["undefined", "boolean"].includes(typeof annotations[key]));
  const findings = odd.map((key) => {
    const { should } = at(`/annotations/${key}`, "mcp");
    return should("annotations", `${key} is neither true nor false: correct it.`);
  });
  if (annotations.readOnlyHint !== true || annotations.destructiveHint !== true) return findings;
  const message = "It claims to be both read-only and destructive: say which it is.";
  return [...findings, at("/annotations").must("annotations", message)];
}
