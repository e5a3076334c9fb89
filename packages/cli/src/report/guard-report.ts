import { modelView, userView } from "@toolrail/core";
import type { GuardOutcome } from "@toolrail/core/guard";
import { indent, plainText } from "../terminal/plain-text.ts";
import type { Style } from "../terminal/style.ts";
import { renderTree } from "../terminal/tree.ts";
import { hopNode, renderViews } from "./hop-text.ts";

/** The guard's verdict for people, with the call where one was made. */
export function renderGuard(
  outcome: GuardOutcome,
  { ok, style }: { readonly ok: boolean; readonly style: Style },
): string {
  const { dim, green, red } = style.colours;
  const { code, message } = outcome;
  const verdict = ok ? green("✔ allow") : red("✖ block");
  const head = `${verdict} ${dim(code)}\n${indent(plainText(message))}`;
  if (!("hop" in outcome)) return head;
  const { hop } = outcome;
  const model = code === "complete" ? modelView(hop).content : [];
  const views = renderViews({ model, user: userView(hop).content }, style);
  return [head, renderTree([hopNode(hop, style)], dim), ...views].join("\n\n");
}
