import { definitionHash, definitionParts } from "../call/definition.ts";
import type { HostTool } from "../call/tool.ts";
import { sha256 } from "../hash.ts";
import { canonicalJson, isJsonObject } from "../json.ts";

/** The parts of a tool that a model or a check relies on. */
export type PinnedField = keyof ReturnType<typeof definitionParts>;

/** SHA-256 of a tool's definition, and of each of its parts, in hex. */
export interface ToolFingerprint {
  readonly sha256: string;
  readonly fields: { readonly [field in PinnedField]?: string };
}

/** The fingerprints of approved tools by `server.tool`. Plain JSON, to be kept in a file. */
export type ToolPins = { readonly [tool: string]: ToolFingerprint };

/** Takes the fingerprints of tools as they stand now: what the operator approves by keeping them. */
export async function fingerprintTools(tools: readonly HostTool[]): Promise<ToolPins> {
  const pins = tools.map(async (tool) => [tool.id, await fingerprint(tool)] as const);
  return Object.fromEntries(await Promise.all(pins));
}

/** The parts of a tool that differ from its pin, whatever the order of their keys; `undefined` where it has no pin. */
export async function changedFields(
  tool: HostTool,
  pins: ToolPins,
): Promise<readonly PinnedField[] | undefined> {
  const pin: unknown = Object.hasOwn(pins, tool.id) ? pins[tool.id] : undefined;
  if (!isJsonObject(pin) || !isJsonObject(pin.fields)) return undefined;
  const { sha256: hash, fields: now } = await fingerprint(tool);
  if (hash === pin.sha256) return [];
  const { fields: before } = pin;
  const parts = Object.keys(definitionParts(tool)) as PinnedField[];
  const changed = parts.filter((part) => now[part] !== before[part]);
  return changed.length > 0 ? changed : parts;
}

async function fingerprint(tool: HostTool): Promise<ToolFingerprint> {
  const parts = Object.entries(definitionParts(tool)).filter(([, value]) => value !== undefined);
  const hashes = parts.map(async ([part, value]) => [part, await sha256(canonicalJson(value))]);
  const fields = Object.fromEntries(await Promise.all(hashes));
  return { sha256: await definitionHash(tool), fields };
}
