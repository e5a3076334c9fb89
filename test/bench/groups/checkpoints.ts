import { AIMessage } from "@langchain/core/messages";
import { MemorySaver } from "@langchain/langgraph";
import { loadMcpTools } from "@langchain/mcp-adapters";
import { createHost } from "@toolrail/core";
import { references } from "@toolrail/core/references";
import { createTools } from "@toolrail/langgraph";
import { createAgent, fakeModel } from "langchain";
import { CHECKPOINT, CHECKPOINT_PEER, LANGGRAPH, MCP_ADAPTERS } from "../names.ts";
import { type Row, rowsOf } from "../row.ts";
import { connectInMemory } from "../servers/connect.ts";
import { SIZES } from "./sizes.ts";

type AgentTools = NonNullable<Parameters<typeof createAgent>[0]["tools"]>;

const REFERRING = "the same, with references";
/** By the tool that answers with it: a text, and one that is structured content too. */
const KINDS = { page: "", record: ", structured too" };

/** What one result adds to the latest checkpoint of an agent: whole, by its address, and with the peer. */
export async function measureCheckpoints(): Promise<Row[]> {
  const { client, close } = await connectInMemory();
  const servers = { bench: { client, shared: true } };
  const whole = await createHost({ servers });
  const referring = await createHost({ servers, use: [references()] });
  const rows: Row[] = [];
  for (const [tool, kind] of Object.entries(KINDS)) {
    for (const [size, length] of Object.entries(SIZES)) {
      const added = async (tools: AgentTools) =>
        (await bytesKept(tools, { tool, length })) - (await bytesKept(tools, { tool, length: 1 }));
      const ours = await added(createTools(whole));
      const referred = await added(createTools(referring));
      const theirs = await added(await loadMcpTools("bench", client));
      const at = `${size}${kind}`;
      const shares = {
        [LANGGRAPH]: ours / length,
        [REFERRING]: referred / length,
        [MCP_ADAPTERS]: theirs / length,
      };
      const beside = { [LANGGRAPH]: ours / theirs, [REFERRING]: referred / theirs };
      if (tool === "page") rows.push(...rowsOf({ group: CHECKPOINT, at, unit: "x" }, shares));
      rows.push(...rowsOf({ group: CHECKPOINT_PEER, at, unit: "x" }, beside));
    }
  }
  await close();
  return rows.toSorted((one, other) => one.group.length - other.group.length);
}

interface Answer {
  readonly tool: string;
  readonly length: number;
}

async function bytesKept(tools: AgentTools, { tool, length }: Answer): Promise<number> {
  const name = tools.map((one) => String(one.name)).find((one) => one.endsWith(tool)) ?? tool;
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
