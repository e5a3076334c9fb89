// Pictures of a nested pipe, as Mermaid text: node --conditions=@toolrail/source src/draw.ts
import { openResearch } from "./open-research.ts";
import { drawPipe, drawRun } from "./pictures.ts";
import { twoTopics } from "./specs.ts";
import { drawGraph } from "./with-langgraph.ts";

await using research = await openResearch({ pageBytes: 20 * 1024 });
const { host } = research;
print("The pipe", drawPipe(host));
print("A run of it, in which a page was gone", await drawRun(host));
print("Its graph, as LangGraph draws it", await drawGraph(host, twoTopics));

function print(title: string, picture: string): void {
  process.stdout.write(`%% ${title}\n${picture}\n`);
}
