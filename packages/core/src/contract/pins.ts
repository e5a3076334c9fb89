import { definitionParts } from "../call/approval.ts";
import type { Plugin, Use } from "../call/plugin.ts";
import type { Tool } from "../call/tool.ts";
import { invalidOptions } from "../errors.ts";
import { canonicalJson, isJsonObject, sha256 } from "../json/json.ts";

/** The name of a part of a tool that a model or a check relies on. */
export type PinnedField = keyof ReturnType<typeof definitionParts>;

/** The SHA-256 hashes of a tool's parts, in hex. A part that the tool lacks has none. */
export type ToolFingerprint = { readonly [field in PinnedField]?: string };

/** The fingerprints of approved tools by `server.tool`. Plain JSON, to be kept in a file. */
export type ToolPins = { readonly [tool: string]: ToolFingerprint };

/** Computes the fingerprints of the current tools. To approve the tools, keep the result and pass it to `pins`. */
export function fingerprintTools(tools: readonly Tool[]): ToolPins {
  if (!Array.isArray(tools))
    throw invalidOptions("fingerprintTools takes a list of tools: `host.tools`.");
  return Object.fromEntries(tools.map((tool) => [tool.id, fingerprint(tool)]));
}

/**
 * Creates a plugin that quarantines each tool that differs from its fingerprint, or has none, until it is approved again.
 * `approved` is the result of `fingerprintTools`. Throws `invalid-options` if it is not an object.
 */
export function pins(approved: ToolPins): Use {
  if (!isJsonObject(approved)) {
    throw invalidOptions("pins takes the result of `fingerprintTools(host.tools)`.");
  }
  const checkTool: Plugin["checkTool"] = (tool) => {
    const { server, name, id } = tool;
    const pin = approved[id];
    const now = fingerprint(tool);
    const parts = Object.keys(definitionParts(tool)) as PinnedField[];
    const changed = parts.filter((part) => now[part] !== pin?.[part]);
    if (changed.length === 0) return {};
    const code = pin ? "tool-changed" : "tool-not-pinned";
    const why = pin
      ? `its ${changed.join(", ")} changed since it was approved. Review it, and renew its fingerprint in the pins to approve it again.`
      : "it has no pin. Approve it by adding its fingerprint to the pins.";
    const message = `Tool ${id} is not offered: ${why}`;
    return { problem: { server, tool: name, code, message }, isRefused: true };
  };
  const about = { option: "pins", protects: true };
  const names = Object.keys(approved).map((pattern) => ({ ...about, pattern }));
  return ({ watchNames }) => {
    watchNames(names);
    return { name: "pins", checkTool };
  };
}

function fingerprint(tool: Tool): ToolFingerprint {
  const parts = Object.entries(definitionParts(tool)).filter(([, value]) => value !== undefined);
  return Object.fromEntries(parts.map(([part, value]) => [part, sha256(canonicalJson(value))]));
}
