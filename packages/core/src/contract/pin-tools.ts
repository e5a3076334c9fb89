import type { ToolScreen } from "../call/tool-screen.ts";
import { ToolrailError } from "../errors.ts";
import { isJsonObject } from "../json.ts";
import { changedFields, type ToolPins } from "./fingerprint.ts";

/**
 * A screen over the fingerprints of approved tools (see `fingerprintTools`). A tool that differs from its
 * own, or has none, is quarantined until it is approved again. Throws `invalid-options` for other values.
 */
export function pinTools(pins: ToolPins): ToolScreen {
  if (!isJsonObject(pins)) {
    const message = "pinTools takes the result of `await fingerprintTools(host.tools)`.";
    throw new ToolrailError("invalid-options", message);
  }
  return async (tool) => {
    const { server, name, id } = tool;
    const changed = await changedFields(tool, pins);
    if (changed?.length === 0) return {};
    const code = changed ? "tool-changed" : "tool-not-pinned";
    const why = changed
      ? `its ${changed.join(", ")} changed since it was approved. Review it, and renew its fingerprint in the pins to approve it again.`
      : "it has no pin. Approve it by adding its fingerprint to the pins.";
    const message = `Tool ${id} is not offered: ${why}`;
    return { problem: { server, tool: name, code, message }, isRefused: true };
  };
}
