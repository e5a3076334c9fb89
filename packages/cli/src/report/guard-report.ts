import { modelView, userView } from "@toolrail/core";
import type { GuardOutcome } from "@toolrail/core/guard";
import { indent, plainText } from "../terminal/plain-text.ts";
import type { Style } from "../terminal/style.ts";
import { renderTree } from "../terminal/tree.ts";
import { hopNode } from "./hop-node.ts";
import { renderViews } from "./view-section.ts";

/** False where nothing was called, and where no model may read what was answered. */
export function isAllowed({ code }: GuardOutcome): boolean {
  return code === "complete" || code === "needs-more-info";
}

/** The guard's verdict for people, with the call where one was made. */
export function renderGuard(outcome: GuardOutcome, style: Style): string {
  const { colours } = style;
  const { code, message } = outcome;
  const verdict = isAllowed(outcome) ? colours.green("✔ allow") : colours.red("✖ block");
  const head = `${verdict} ${colours.dim(code)}\n${indent(plainText(message))}`;
  if (!("hop" in outcome)) return head;
  const { hop } = outcome;
  const model = code === "complete" ? modelView(hop).content : [];
  const views = renderViews({ model, user: userView(hop).content }, style);
  return [head, renderTree([hopNode(hop, style)], colours.dim), ...views].join("\n\n");
}
