import type { Hop } from "@toolrail/core";
import { formatDuration } from "../terminal/duration.ts";
import { oneLine, plainText } from "../terminal/plain-text.ts";
import type { Style } from "../terminal/style.ts";
import type { TreeNode } from "../terminal/tree.ts";
import { contentText } from "./content-text.ts";

/** One call: its name, how it went, how long it took, and what was wrong with it. */
export function hopNode(hop: Hop, { colours, width }: Style): TreeNode {
  const { server, tool, result, output, durationMs } = hop;
  const failed = result.isError === true;
  const mark = failed ? colours.red("✖") : colours.green("✔");
  const name = plainText(`${server}.${tool}`);
  const typed = output.status === "valid" ? colours.dim(" typed") : "";
  const details = [colours.dim(oneLine(JSON.stringify(hop.arguments), width - 12))];
  if (failed) {
    const text = result.content.map(contentText).join("\n") || "an error without any text";
    details.push(colours.red(text));
  }
  if (output.status === "invalid") details.push(colours.yellow(plainText(output.message)));
  return { label: `${mark} ${name} ${colours.dim(formatDuration(durationMs))}${typed}`, details };
}
