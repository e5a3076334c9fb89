// Plays the four stories: npm start
import { type ChainResult, type Host, modelView } from "@toolrail/core";
import { openDocuments } from "./conditional-workflow.ts";
import { openDatabase } from "./error-recovery.ts";
import { openExpenses } from "./multi-stage-approval.ts";
import { openImport } from "./staged-processing.ts";

const rows = [["name", "city"], ["Ada"]];

await play("Multi-stage approval", openExpenses(), { id: "e1", amount: 9000 });
await play("Error recovery", openDatabase(), { sql: "select * from orders" });
await play("Staged processing", openImport(), { rows });
await play("Conditional workflow", openDocuments(), { text: "Invoice 7. Total: 90.50" });

/** Calls the first tool of a story, approves each call that asks a person, and prints the chain. */
async function play(
  title: string,
  opening: Promise<Host>,
  args: Record<string, unknown>,
): Promise<void> {
  const host = await opening;
  const [first] = host.tools;
  if (!first) throw new Error(`${title} has no tools.`);
  process.stdout.write(`\n${title}\n`);
  let chain: ChainResult = await host.run({ tool: first, arguments: args });
  while (chain.ended === "needs-approval") {
    process.stdout.write(`  a person says yes to ${chain.pending?.tool}\n`);
    chain = await host.resume(chain, "approve");
  }
  for (const hop of chain.hops) {
    const text = modelView(hop).content.map((block) => block.text);
    process.stdout.write(`  ${hop.tool.padEnd(20)} ${text.join(" ")}\n`);
  }
  process.stdout.write(`  ended: ${chain.ended}\n`);
  await host.close();
}
