import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { createHost } from "@toolrail/core";
import { runPipe } from "@toolrail/pipe";
import type { Step } from "./cut-turn.ts";
import type { Call, Conversation } from "./load-conversations.ts";

/** Runs pipes against a server that answers as the benchmark's services did, and returns the calls that it received. */
export async function runPipes(
  { turns }: Conversation,
  pipes: readonly (readonly Step[])[],
): Promise<readonly Pick<Call, "tool" | "arguments">[]> {
  const names = new Set(turns.flatMap(({ calls }) => calls.map(({ tool }) => tool)));
  const answers = turns.flatMap(({ calls }) => calls.map(({ result }) => result));
  const received: Pick<Call, "tool" | "arguments">[] = [];
  const server = new Server({ name: "bfcl", version: "1.0.0" }, { capabilities: { tools: {} } });
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: [...names].map((name) => ({ name, inputSchema: { type: "object" as const } })),
  }));
  server.setRequestHandler(CallToolRequestSchema, ({ params }) => {
    const structuredContent = answers[received.length] ?? {};
    received.push({ tool: params.name, arguments: params.arguments ?? {} });
    return { content: [], structuredContent };
  });
  const client = new Client({ name: "toolrail-evidence", version: "1.0.0" });
  const [near, far] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(far), client.connect(near)]);
  const host = await createHost({ servers: { bfcl: client }, authorize: () => "allow" });
  try {
    for (const pipe of pipes) {
      const steps = pipe.map(({ call, args }, at) => ({
        ...{ id: `s${at}`, tool: `bfcl.${call.tool}`, args },
      }));
      const { ok, error } = await runPipe(host, { spec: { steps }, author: "model" });
      if (!ok) throw new Error(`A pipe failed: ${JSON.stringify(error)}`);
    }
  } finally {
    await host.close();
  }
  return received;
}
