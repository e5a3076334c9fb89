import { AIMessage } from "@langchain/core/messages";
import { MemorySaver } from "@langchain/langgraph";
import { loadMcpTools } from "@langchain/mcp-adapters";
import { createHost } from "@toolrail/core";
import { createTools } from "@toolrail/langgraph";
import { createAgent, fakeModel } from "langchain";
import { CHECKPOINT, LANGGRAPH, MCP_ADAPTERS } from "../names.ts";
import { type Row, rowsOf } from "../row.ts";
import { connectInMemory } from "../servers/connect.ts";
import { SIZES } from "./sizes.ts";

type AgentTools = NonNullable<Parameters<typeof createAgent>[0]["tools"]>;

/** What one result adds to the latest checkpoint of an agent: whole, by its address, and with the peer. */
export async function measureCheckpoints(): Promise<Row[]> {
  const { client, close } = await connectInMemory();
  const servers = { bench: { client, shared: true } };
  const whole = await createHost({ servers });
  const referring = await createHost({ servers, references: true });
  const rows: Row[] = [];
  for (const [at, length] of Object.entries(SIZES)) {
    const added = async (tools: AgentTools) =>
      ((await bytesKept(tools, length)) - (await bytesKept(tools, 1))) / length;
    const shares = {
      [LANGGRAPH]: await added(createTools(whole)),
      "the same, with references": await added(createTools(referring)),
      [MCP_ADAPTERS]: await added(await loadMcpTools("bench", client)),
    };
    rows.push(...rowsOf({ group: CHECKPOINT, at, unit: "x" }, shares));
  }
  await close();
  return rows;
}

async function bytesKept(tools: AgentTools, length: number): Promise<number> {
  const name = tools.map((tool) => String(tool.name)).find((one) => one.endsWith("page")) ?? "page";
  const model = fakeModel()
    .respondWithTools([{ name, args: { length }, id: "call-1" }])
    .respond(new AIMessage("It is read."));
  const checkpointer = new MemorySaver();
  const agent = createAgent({ model, tools, checkpointer });
  const messages = [{ role: "user", content: "Read the page." }];
  await agent.invoke({ messages }, { configurable: { thread_id: "1" } });
  const checkpoints = Object.entries(checkpointer.storage["1"]?.[""] ?? {});
  const [, latest] = checkpoints.toSorted(([a], [b]) => (a < b ? 1 : -1))[0] ?? [];
  return latest?.[0]?.length ?? Number.NaN;
}
