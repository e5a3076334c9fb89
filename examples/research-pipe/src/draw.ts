// The picture of a nested pipe, as Mermaid text: node --conditions=@toolrail/source src/draw.ts
import { openResearch } from "./open-research.ts";
import { twoTopics } from "./specs.ts";
import { drawGraph } from "./with-langgraph.ts";

await using research = await openResearch({ pageBytes: 20 * 1024 });
process.stdout.write(await drawGraph(research.host, twoTopics));
