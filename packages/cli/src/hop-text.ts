import type { ContentBlock, Hop } from "@toolrail/core";
import { toModelParts } from "@toolrail/core/adapter";
import { formatDuration, oneLine, plainText, type Style, type TreeNode } from "./terminal.ts";

const MAX_LINES = 40;
const MAX_LENGTH = 2_000;

/** Renders a call: its name, outcome, time and error. */
export function hopNode(hop: Hop, { colours, width }: Style): TreeNode {
  const { server, tool, result, output, durationMs } = hop;
  const isInvalid = output.status === "invalid";
  const failed = result.isError === true || isInvalid;
  const mark = failed ? colours.red("✖") : colours.green("✔");
  const name = plainText(`${server}.${tool}`);
  const typed = output.status === "valid" ? colours.dim(" typed") : "";
  const details = [colours.dim(oneLine(JSON.stringify(hop.arguments), width - 12))];
  if (isInvalid) details.push(colours.red(plainText(output.message)));
  else if (failed) details.push(colours.red(toText(result.content) || "an error without any text"));
  return { label: `${mark} ${name} ${colours.dim(formatDuration(durationMs))}${typed}`, details };
}

/** Renders what the model reads and what the user sees, each as a titled block. A long block is cut and marked. */
export function renderViews(
  views: { readonly model: readonly ContentBlock[]; readonly user: readonly ContentBlock[] },
  { colours }: Style,
): string[] {
  const sections = { "The model reads": views.model, "The user is shown": views.user };
  const cut = (rest: number, what: string) =>
    colours.dim(`… ${rest} more ${what}; --json has them all`);
  return Object.entries(sections).map(([title, content]) => {
    const lines = (toText(content) || colours.dim("nothing")).trimEnd().split("\n");
    const body = lines.slice(0, MAX_LINES).map((line) => {
      const rest = line.length - MAX_LENGTH;
      return rest <= 0 ? line : line.slice(0, MAX_LENGTH) + cut(rest, "characters");
    });
    if (lines.length > MAX_LINES) body.push(cut(lines.length - MAX_LINES, "lines"));
    return [colours.bold(title), ...body.map((line) => `  ${line}`.trimEnd())].join("\n");
  });
}

function toText(content: readonly ContentBlock[]): string {
  const texts = toModelParts(content).map((part) =>
    part.type === "text" ? part.text : `[${part.type}, ${part.mimeType}]`,
  );
  return plainText(texts.join("\n"));
}
