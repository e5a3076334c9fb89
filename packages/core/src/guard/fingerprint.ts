import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import type { HostTool } from "../host/tool.ts";
import { canonicalJson, isJsonObject } from "../json.ts";

/** The parts of a tool that a model or a check relies on. */
export type PinnedField =
  | "name"
  | "title"
  | "description"
  | "inputSchema"
  | "outputSchema"
  | "annotations"
  | "execution"
  | "_meta.ui";

/** SHA-256 of a tool's definition, and of each of its parts, in hex. */
export interface ToolFingerprint {
  readonly sha256: string;
  /** So that a change can be told by its name. */
  readonly fields: { readonly [field in PinnedField]?: string };
}

/** The fingerprints of approved tools by `server.tool`. Plain JSON, to be kept in a file. */
export type ToolPins = { readonly [tool: string]: ToolFingerprint };

/** Takes the fingerprints of tools as they stand now: what the operator approves by keeping them. */
export function fingerprintTools(tools: readonly HostTool[]): ToolPins {
  return Object.fromEntries(tools.map((tool) => [tool.id, fingerprint(tool)]));
}

/** The parts of a tool that differ from its pin; `undefined` where it has none. The order of keys is no part. */
export function changedFields(tool: HostTool, pins: ToolPins): readonly PinnedField[] | undefined {
  const pin: unknown = Object.hasOwn(pins, tool.id) ? pins[tool.id] : undefined;
  if (!isJsonObject(pin) || !isJsonObject(pin.fields)) return undefined;
  const now = fingerprint(tool);
  if (now.sha256 === pin.sha256) return [];
  const { fields } = pin;
  const parts = Object.keys(pinnedParts(tool)) as PinnedField[];
  const changed = parts.filter((part) => now.fields[part] !== fields[part]);
  return changed.length > 0 ? changed : parts;
}

/** SHA-256 of everything of a tool that is pinned. */
export function definitionHash(tool: HostTool): string {
  return hash(canonicalJson(pinnedParts(tool)));
}

function fingerprint(tool: HostTool): ToolFingerprint {
  const fields: { [field in PinnedField]?: string } = {};
  for (const [field, value] of Object.entries(pinnedParts(tool))) {
    if (value !== undefined) fields[field as PinnedField] = hash(canonicalJson(value));
  }
  return { sha256: definitionHash(tool), fields };
}

function pinnedParts(tool: HostTool): Record<PinnedField, unknown> {
  const { name, title, description, inputSchema, outputSchema, annotations, execution } = tool;
  const parts = { name, title, description, inputSchema, outputSchema, annotations, execution };
  return { ...parts, "_meta.ui": tool.meta?.ui };
}

function hash(text: string): string {
  return bytesToHex(sha256(utf8ToBytes(text)));
}
