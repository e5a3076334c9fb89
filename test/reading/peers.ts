import { createMCPClient, type MCPTransport } from "@ai-sdk/mcp";
import { loadMcpTools } from "@langchain/mcp-adapters";
import { generateText, type ToolSet } from "ai";
import { createTestServer, serveTools } from "../../packages/core/test/servers.ts";
import type { Feature } from "./features.ts";
import { aiSdkModel } from "./models.ts";

/** What others take for one call of a tool that answers with a text, for a scale. */
interface Peer extends Pick<Feature, "name" | "prepare"> {
  /** The part of the URL of its files that only they have. */
  readonly files: string;
}

const TOOLS = { look: {} };
const call = { type: "tool_call", id: "call-1", name: "look", args: {} } as const;

async function connectAiSdk() {
  const { transport } = await serveTools(TOOLS);
  return createMCPClient({ transport: transport as MCPTransport });
}

export const PEERS: readonly Peer[] = [
  {
    name: "`Client` and `Server` of the MCP SDK",
    files: "/@modelcontextprotocol/sdk/dist/esm/",
    prepare: async () => async () => {
      const { client } = await createTestServer(TOOLS);
      await client.listTools();
      await client.callTool({ name: "look" });
    },
  },
  {
    name: "`@ai-sdk/mcp`, with a client of its own",
    files: "/@ai-sdk/mcp/dist/",
    prepare: async () => async () => {
      const { look } = await (await connectAiSdk()).tools();
      await look?.execute({}, { toolCallId: "call-1", messages: [] } as never);
    },
  },
  {
    name: "`@langchain/mcp-adapters`, on that SDK",
    files: "/@langchain/mcp-adapters/dist/",
    prepare: async () => {
      const { client } = await createTestServer(TOOLS);
      return async () => (await loadMcpTools("shop", client)).at(0)?.invoke(call);
    },
  },
  {
    name: "`generateText` of the AI SDK",
    files: "/node_modules/ai/dist/",
    prepare: async () => {
      const tools = await (await connectAiSdk()).tools();
      const model = aiSdkModel("look");
      return () => generateText({ model, tools: tools as ToolSet, prompt: "Look." });
    },
  },
];
