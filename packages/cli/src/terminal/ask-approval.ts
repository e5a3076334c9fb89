import type { PendingCall } from "@toolrail/core";
import { approvalText } from "@toolrail/core/internal";
import type { Context } from "../command.ts";
import { indent, plainText } from "./plain-text.ts";
import { typeLines } from "./type-lines.ts";

/** Shows a call that waits for a person, and asks on the terminal whether to make it. Anything but a yes is a no. */
export async function askApproval(
  context: Context,
  pending: PendingCall,
): Promise<"approve" | { readonly deny: string }> {
  const shown = `${approvalText(pending)}\n${indent(JSON.stringify(pending.arguments, null, 2))}\n`;
  context.stderr.write(plainText(shown));
  const line = await typeLines(context, { type: (ask) => ask("Call it? [y/N] ") });
  return /^y(es)?$/i.test(line?.trim() ?? "")
    ? "approve"
    : { deny: "it was refused on the terminal" };
}
