import { loadMcpTools } from "@langchain/mcp-adapters";
import { llmSteps, withChaining } from "@toolrail/ai-sdk";
import { createHost } from "@toolrail/core";
import { chainMiddleware, createTools } from "@toolrail/langgraph";
import { generateText, isStepCount } from "ai";
import { createAgent } from "langchain";
import { AI_SDK, AI_SDK_MCP, LANGGRAPH, MCP_ADAPTERS, MODEL_CALLS } from "../names.ts";
import { type Row, rowsOf } from "../row.ts";
import { type Connection, connectInMemory } from "../servers/connect.ts";
import { aiSdkModel, langChainModel } from "./next-turn.ts";

const prompt = "Do it.";
const messages = [{ role: "user", content: prompt }];
const stopWhen = isStepCount(10);

/** How often a model is asked for chains of one to five calls: followed by the host, and relayed by the model. */
export async function measureModelCalls(): Promise<Row[]> {
  const connection = await connectInMemory();
  const rows: Row[] = [];
  for (let calls = 1; calls <= 5; calls++) {
    const at = `${calls} ${calls === 1 ? "call" : "calls"}`;
    rows.push(
      ...rowsOf({ group: MODEL_CALLS, at, unit: "calls" }, await countAll(connection, calls)),
    );
  }
  await connection.close();
  return rows;
}

async function countAll({ client, other }: Connection, calls: number) {
  // Told of what is for the user alone, the host leaves out the model call that would only announce it.
  const host = await createHost({
    servers: { bench: { client, shared: true } },
    use: [{ name: "listener", onHop: () => {} }],
  });
  const first = { left: calls };
  const script = (name: string) => ({ tool: name, first });
  const relayed = aiSdkModel(script("hop"));
  await generateText({ model: relayed.model, prompt, stopWhen, tools: await other.tools() });
  const chained = aiSdkModel(script("hop"));
  await generateText(withChaining(host, { model: chained.model, prompt, stopWhen: llmSteps(10) }));
  const shown = aiSdkModel(script("hop_shown"));
  await generateText(withChaining(host, { model: shown.model, prompt, stopWhen: llmSteps(10) }));
  const ofAdapters = langChainModel(script("hop"));
  const tools = await loadMcpTools("bench", client);
  await createAgent({ model: ofAdapters.model, tools }).invoke({ messages });
  const onRails = langChainModel(script("hop"));
  await createAgent({
    model: onRails.model,
    tools: createTools(host),
    middleware: [chainMiddleware(host)],
  }).invoke({ messages });
  return {
    [AI_SDK]: chained.count(),
    [LANGGRAPH]: onRails.count(),
    "shown to the user alone": shown.count(),
    [AI_SDK_MCP]: relayed.count(),
    [MCP_ADAPTERS]: ofAdapters.count(),
  };
}
