import { type ChainResult, modelView, userView } from "@toolrail/core";
import { plainText } from "../terminal/plain-text.ts";
import { formatDuration, type Style } from "../terminal/style.ts";
import { renderTree, type TreeNode } from "../terminal/tree.ts";
import { hopNode, renderViews } from "./hop-text.ts";

/** What to change on the command line. */
const ADVICE: Readonly<Record<string, readonly string[]>> = {
  "chain-depth": ["Allow more calls with --max-depth N."],
  "needs-input": ["Run it in a terminal to answer."],
  timeout: ["Allow more time with --timeout MS."],
};

/** A chain for people, each hop below the one that asked for it. `tool` is the first, as the command line names it. */
export function renderChain(
  chain: ChainResult,
  { tool, style }: { readonly tool: string; readonly style: Style },
): string {
  const { colours } = style;
  const { hops, ended, error, pending } = chain;
  const total = hops.reduce((sum, hop) => sum + hop.durationMs, 0);
  const count = hops.length === 1 ? "1 call" : `${hops.length} calls`;
  const failed = hops.at(-1)?.result.isError === true;
  const paint = ended !== "complete" || failed ? colours.red : colours.green;
  const missed = pending ? `${pending.server}.${pending.tool}` : tool;
  // One branch, which ends in the call that was not made.
  const end = error && {
    label: `${colours.red("✖")} ${plainText(missed)}`,
    details: [colours.red(plainText(error.message)), ...(ADVICE[error.code] ?? [])],
  };
  const branch = hops.reduceRight<TreeNode[]>(
    (children, hop) => [{ ...hopNode(hop, style), children }],
    end ? [end] : [],
  );
  const views = { model: modelView(chain).content, user: userView(chain).content };
  return [
    renderTree(branch, colours.dim),
    `${paint(failed ? `${ended}, with an error` : ended)} ${colours.dim(`${count}, ${formatDuration(total)}`)}`,
    ...(hops.length > 0 ? renderViews(views, style) : []),
  ].join("\n\n");
}
