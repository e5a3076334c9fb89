// A guarded host over three MCP servers, every outcome once: node --conditions=@toolrail/source src/main.ts

import { outcomeText, type QueryAnswer } from "@toolrail/core/guard";
import { startOfflineModel } from "@toolrail/example-offline-model";
import { askAiSdk, askCreateAgent, askGraph, drawGraph } from "./both-frameworks.ts";
import { openHost } from "./open-host.ts";
import { plannerRules } from "./planner-rules.ts";
import { playChangedTool, playScene, scenes } from "./scenes.ts";

const model = await startOfflineModel({ rules: plannerRules });
const host = await openHost();

for (const scene of scenes) {
  print(scene.title, scene.query, await playScene(host, model.url, scene));
}
const changed = await playChangedTool(model.url);
print("A tool that changed since it was approved", "What is the policy on passwords?", changed);

console.log(
  "\nThe same host behind the frameworks, with a model that asks for three calls at once:",
);
console.log(`- AI SDK, generateText:     ${await askAiSdk(host, model.url)}`);
console.log(`- LangChain, createAgent:   ${await askCreateAgent(host, model.url)}`);
console.log(`- LangGraph, the host loop: ${await askGraph(host, model.url)}`);
if (process.argv.includes("--draw")) console.log(`\n${await drawGraph(host, model.url)}`);

await host.close();
await model.close();

function print(title: string, query: string, { outcome, summary }: QueryAnswer): void {
  console.log(`\n${title}\n  > ${query}`);
  console.log(`  ${outcome.verdict}: ${outcome.code}`);
  for (const line of outcomeText(outcome).split("\n")) console.log(`  ${line}`);
  if ("notFollowed" in outcome && outcome.notFollowed) {
    const { server, tool } = outcome.notFollowed;
    console.log(`  The result asked for ${server}.${tool}, which was not called.`);
  }
  for (const { claim, evidence } of summary?.summary.bullets ?? []) {
    console.log(`  - ${claim} ("${evidence}")`);
  }
  for (const { claim, message } of summary?.rejected ?? []) {
    console.log(`  - rejected: ${JSON.stringify(claim)}: ${message}`);
  }
}
