import { type GuardOutcome, modelView, userView } from "@toolrail/core";
import { indent, plainText } from "../terminal/plain-text.ts";
import type { Style } from "../terminal/style.ts";
import { renderTree } from "../terminal/tree.ts";
import { hopNode } from "./hop-node.ts";
import { viewSection } from "./view-section.ts";

/** The guard's verdict for people, with the call where one was made. */
export function renderGuard(outcome: GuardOutcome, style: Style): string {
  const { colours } = style;
  const allowed = outcome.verdict === "allow";
  const verdict = allowed ? colours.green("✔ allow") : colours.red("✖ block");
  const head = `${verdict} ${colours.dim(outcome.code)}\n${indent(plainText(outcome.message))}`;
  if (!("hop" in outcome)) return head;
  const { hop } = outcome;
  const parts = [head, renderTree([hopNode(hop, style)], colours.dim)];
  const read = outcome.code === "complete" ? modelView(hop).content : [];
  parts.push(viewSection("The model reads", read, style));
  parts.push(viewSection("The user is shown", userView(hop).content, style));
  return parts.join("\n\n");
}
