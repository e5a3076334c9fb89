import type { ContentBlock } from "@toolrail/core";
import type { Style } from "../terminal/style.ts";
import { contentText } from "./content-text.ts";

const MAX_LINES = 40;
const MAX_LENGTH = 2_000;

/** A titled block of what somebody gets to see; long ones are cut and say so. */
export function viewSection(
  title: string,
  content: readonly ContentBlock[],
  { colours }: Style,
): string {
  const lines = content.flatMap((block) => contentText(block).trimEnd().split("\n"));
  const shown = lines.slice(0, MAX_LINES).map((line) => cutLine(line, colours.dim));
  const rest = lines.length - shown.length;
  const body = shown.length > 0 ? shown : [colours.dim("nothing")];
  const cut = rest > 0 ? [colours.dim(`… ${rest} more lines; --json has them all`)] : [];
  return [colours.bold(title), ...[...body, ...cut].map((line) => `  ${line}`.trimEnd())].join(
    "\n",
  );
}

function cutLine(line: string, dim: (text: string) => string): string {
  const rest = line.length - MAX_LENGTH;
  if (rest <= 0) return line;
  return `${line.slice(0, MAX_LENGTH)}${dim(`… ${rest} more characters; --json has them all`)}`;
}
