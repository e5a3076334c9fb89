import type { ContentBlock, Hop } from "@toolrail/core";
import { toModelParts } from "@toolrail/core/adapter";
import { plainText as showHidden } from "@toolrail/core/json";
import picocolors from "picocolors";
import type { Output } from "./run-toolrail.ts";

export interface Style {
  readonly colours: ReturnType<typeof picocolors.createColors>;
  /** The number of characters in a line. */
  readonly width: number;
}

/** Uses colours only on a terminal, and never with `NO_COLOR`. */
export function createStyle({ isTTY, columns = 100 }: Output, env: NodeJS.ProcessEnv): Style {
  const coloured = isTTY === true && !env.NO_COLOR && env.TERM !== "dumb";
  return { colours: picocolors.createColors(coloured), width: columns };
}

/** Writes a duration for people: `3 ms`, `1.2 s`, `2 min 5 s`. */
export function formatDuration(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1_000).toFixed(1)} s`;
  return `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1_000)} s`;
}

/** Makes a server's text safe to print: characters that control a terminal or hide text become codes. */
export function plainText(text: string): string {
  return showHidden(text.replaceAll("\r\n", "\n"));
}

/** Shortens a text to one line of at most `width` characters. */
export function oneLine(text: string, width: number): string {
  const line = [...plainText(text).replace(/\s+/g, " ").trim()];
  return line.length <= width
    ? line.join("")
    : `${line.slice(0, Math.max(0, width - 1)).join("")}…`;
}

/** Writes a message for stderr. Later lines, perhaps of a server, are indented, so that none looks like the first. */
export function message(text: string): string {
  return `toolrail: ${indent(plainText(text)).trimStart()}\n`;
}

export function indent(text: string): string {
  return text.replace(/^(?=.)/gm, "  ");
}

/** A node of a tree for people: a label, lines below it, and children. */
export interface TreeNode {
  readonly label: string;
  readonly details?: readonly string[];
  readonly children?: readonly TreeNode[];
}

/** Draws trees. `dim` colours the lines between nodes. */
export function renderTree(nodes: readonly TreeNode[], dim: (text: string) => string): string {
  const draw = (
    { label, details = [], children = [] }: TreeNode,
    { first, rest } = { first: "", rest: "" },
  ): string[] => {
    const below = rest + (children.length > 0 ? "│  " : "   ");
    const lines = details.flatMap((detail) => detail.split("\n"));
    return [
      dim(first) + label.replaceAll("\n", "\\n"), // A tool's name cannot add a line to the tree.
      ...lines.map((line) => dim(below) + line),
      ...children.flatMap((child, at) => {
        const [branch, stem] = at === children.length - 1 ? ["└─ ", "   "] : ["├─ ", "│  "];
        return draw(child, { first: rest + branch, rest: rest + stem });
      }),
    ];
  };
  return nodes.flatMap((node) => draw(node)).join("\n");
}

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

/** Renders what the model reads and what the user sees, each as a titled block. */
export function renderViews(
  views: { readonly model: readonly ContentBlock[]; readonly user: readonly ContentBlock[] },
  { colours }: Style,
): string[] {
  const sections = { "The model reads": views.model, "The user is shown": views.user };
  return Object.entries(sections).map(([title, content]) => {
    return `${colours.bold(title)}\n${indent(toText(content).trimEnd() || colours.dim("nothing"))}`;
  });
}

function toText(content: readonly ContentBlock[]): string {
  const texts = toModelParts(content).map((part) =>
    part.type === "text" ? part.text : `[${part.type}, ${part.mimeType}]`,
  );
  return plainText(texts.join("\n"));
}
