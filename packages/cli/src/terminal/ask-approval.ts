import type { Decision, PendingCall } from "@toolrail/core";
import { approvalText } from "@toolrail/core/internal";
import { isJsonObject, type JsonObject } from "@toolrail/json";
import type { Context } from "../command.ts";
import { indent, plainText } from "./plain-text.ts";
import { typeLines } from "./type-lines.ts";

/**
 * Shows a waiting call and asks on the terminal whether to make it. A JSON object approves it with these arguments. Any other
 * answer except yes denies it.
 */
export async function askApproval(
  context: Context,
  pending: PendingCall,
): Promise<Exclude<Decision, { readonly input: unknown }>> {
  const shown = `${approvalText(pending)}\n${indent(JSON.stringify(pending.arguments, null, 2))}\n`;
  context.stderr.write(plainText(shown));
  const line = await typeLines(context, {
    type: (ask) => ask("Call it? [y/N, or other arguments as JSON] "),
  });
  const args = line?.trim().startsWith("{") ? readObject(line) : undefined;
  if (args) return { approve: { arguments: args } };
  return /^y(es)?$/i.test(line?.trim() ?? "")
    ? "approve"
    : { deny: "it was refused on the terminal" };
}

function readObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
