import type { ContentBlock } from "@toolrail/core";
import type { Style } from "../terminal/style.ts";
import { contentText } from "./content-text.ts";

const MAX_LINES = 40;
const MAX_LENGTH = 2_000;

/** What the model reads and what the user is shown, each as a titled block; long ones are cut and say so. */
export function renderViews(
  views: { readonly model: readonly ContentBlock[]; readonly user: readonly ContentBlock[] },
  { colours }: Style,
): string[] {
  const sections = { "The model reads": views.model, "The user is shown": views.user };
  const cut = (rest: number, what: string) =>
    colours.dim(`… ${rest} more ${what}; --json has them all`);
  return Object.entries(sections).map(([title, content]) => {
    const lines = content.flatMap((block) => contentText(block).trimEnd().split("\n"));
    const body = lines.slice(0, MAX_LINES).map((line) => {
      const rest = line.length - MAX_LENGTH;
      return rest <= 0 ? line : line.slice(0, MAX_LENGTH) + cut(rest, "characters");
    });
    if (lines.length === 0) body.push(colours.dim("nothing"));
    if (lines.length > MAX_LINES) body.push(cut(lines.length - MAX_LINES, "lines"));
    return [colours.bold(title), ...body.map((line) => `  ${line}`.trimEnd())].join("\n");
  });
}
