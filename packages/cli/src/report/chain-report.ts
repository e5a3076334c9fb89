import { type ChainResult, modelView, userView } from "@toolrail/core";
import { formatDuration } from "../terminal/duration.ts";
import { plainText } from "../terminal/plain-text.ts";
import type { Style } from "../terminal/style.ts";
import { renderTree, type TreeNode } from "../terminal/tree.ts";
import { hopNode } from "./hop-node.ts";
import { viewSection } from "./view-section.ts";

/** What to change on the command line. */
const ADVICE: Readonly<Record<string, readonly string[]>> = {
  "chain-depth": ["Allow more calls with --max-depth N."],
  timeout: ["Give it longer with --timeout MS."],
};

/** A chain for people: its hops, each below the one that asked for it, and who gets to see what. */
export function renderChain(chain: ChainResult, tool: string, style: Style) {
  const { colours } = style;
  const { hops, ended } = chain;
  const total = hops.reduce((sum, hop) => sum + hop.durationMs, 0);
  const count = hops.length === 1 ? "1 call" : `${hops.length} calls`;
  const failed = hops.at(-1)?.result.isError === true;
  const ending =
    ended !== "complete" || failed
      ? colours.red(failed ? `${ended}, with an error` : ended)
      : colours.green(ended);
  const parts = [
    renderTree(chainNodes(chain, tool, style), colours.dim),
    `${ending} ${colours.dim(`${count}, ${formatDuration(total)}`)}`,
  ];
  if (hops.length > 0) {
    parts.push(viewSection("The model reads", modelView(chain).content, style));
    parts.push(viewSection("The user is shown", userView(chain).content, style));
  }
  return parts.join("\n\n");
}

/** The hops as a tree of one branch, which ends in the call that was not made. */
function chainNodes(chain: ChainResult, tool: string, style: Style): TreeNode[] {
  const { colours } = style;
  const { hops, error, pending } = chain;
  const missed = pending ? `${pending.server}.${pending.tool}` : tool;
  const end: TreeNode[] = error
    ? [
        {
          label: `${colours.red("✖")} ${plainText(missed)}`,
          details: [colours.red(plainText(error.message)), ...(ADVICE[error.code] ?? [])],
        },
      ]
    : [];
  return hops.reduceRight<TreeNode[]>(
    (children, hop) => [{ ...hopNode(hop, style), children }],
    end,
  );
}
