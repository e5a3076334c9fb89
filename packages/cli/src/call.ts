import { type ChainResult, modelView, type Tool, userView } from "@toolrail/core";
import { parseJsonObject, readStdin } from "./command-line.ts";
import type { CommandCall, Outcome } from "./run-toolrail.ts";
import { withHost } from "./servers.ts";
import {
  formatDuration,
  hopNode,
  plainText,
  renderTree,
  renderViews,
  type Style,
  type TreeNode,
} from "./terminal.ts";

/** Makes one call and all calls that follow from it. */
export async function runCall(call: CommandCall): Promise<Outcome> {
  const { args, context } = call;
  const [tool = "", source = "{}"] = args;
  const text = source === "-" ? await readStdin(context) : source;
  const request = { tool, arguments: parseJsonObject(text, "ARGS-JSON") };
  return withHost(call, async ({ host, approve }) => {
    const options = { signal: context.signal };
    let chain = await host.run(request, options);
    while (chain.ended === "needs-approval" && chain.pending && approve) {
      chain = await host.resume(chain, await approve(chain.pending), options);
    }
    return {
      ok: chain.ended === "complete" && chain.hops.at(-1)?.result.isError !== true,
      document: chain,
      text: (style) => renderChain(chain, { tool, tools: host.tools, style }),
    };
  });
}

const ADVICE: Readonly<Record<string, readonly string[]>> = {
  "needs-approval": ["Run it in a terminal to approve it."],
  timeout: ["Allow more time with --timeout MS."],
};

/** Renders a chain for people, each hop below the one that asked for it. `tool` is the first tool's name on the command line. */
function renderChain(
  chain: ChainResult,
  { tool, tools, style }: { tool: string; tools: readonly Tool[]; style: Style },
): string {
  const { hops, ended, error, pending } = chain;
  const { dim, green, red } = style.colours;
  const total = hops.reduce((sum, hop) => sum + hop.durationMs, 0);
  const count = hops.length === 1 ? "1 call" : `${hops.length} calls`;
  const failed = hops.at(-1)?.result.isError === true;
  const paint = ended !== "complete" || failed ? red : green;
  const missed = pending ? `${pending.server}.${pending.tool}` : tool;
  // The chain has one branch, which ends in the call that was not made.
  const end = error &&
    error.code !== "invalid-output" && {
      label: `${red("✖")} ${plainText(missed)}`,
      details: [red(plainText(error.message)), ...(ADVICE[error.code] ?? [])],
    };
  const branch = hops.reduceRight<TreeNode[]>(
    (children, hop) => [{ ...hopNode(hop, style), children }],
    end ? [end] : [],
  );
  const views = { model: modelView(chain, { tools }).content, user: userView(chain).content };
  return [
    renderTree(branch, dim),
    `${paint(failed ? `${ended}, with an error` : ended)} ${dim(`${count}, ${formatDuration(total)}`)}`,
    ...(hops.length > 0 ? renderViews(views, style) : []),
  ].join("\n\n");
}
