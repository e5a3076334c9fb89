import { loadMcpTools } from "@langchain/mcp-adapters";
import * as forAiSdk from "@toolrail/ai-sdk";
import { createHost, type Host, modelView } from "@toolrail/core";
import * as forLangGraph from "@toolrail/langgraph";
import { AI_SDK, AI_SDK_MCP, HOST, LANGGRAPH, MCP_ADAPTERS } from "../names.ts";
import type { Connection } from "./connect.ts";

type Args = Readonly<Record<string, unknown>>;

/** What calls one tool with these arguments, up to what a model reads of the result. */
export type Caller = () => Promise<unknown>;

interface Callers {
  readonly host: Host;
  readonly raw: Caller;
  /** By the names of the tables. */
  readonly others: Readonly<Record<string, Caller>>;
}

/** All that can call a tool, over the same kind of connection. */
export async function callersOf(
  connection: Connection,
  name: string,
  args: Args,
): Promise<Callers> {
  const { client, other } = connection;
  const host = await createHost({ servers: { bench: { client, shared: true } } });
  const ofModel = { type: "tool_call", id: "call-1", name, args } as const;
  const ours = forLangGraph.createTools(host).find((tool) => tool.name.endsWith(name));
  const theirs = (await loadMcpTools("bench", client)).find((tool) => tool.name === name);
  const aiSdkTools = forAiSdk.createTools(host);
  return {
    host,
    raw: () => client.callTool({ name, arguments: args }),
    others: {
      [HOST]: async () => modelView(await host.run({ tool: `bench.${name}`, arguments: args })),
      [AI_SDK]: aiSdkCaller(
        Object.entries(aiSdkTools).find(([key]) => key.endsWith(name))?.[1],
        args,
      ),
      [LANGGRAPH]: async () => ours?.invoke(ofModel),
      [MCP_ADAPTERS]: async () => theirs?.invoke(ofModel),
      [AI_SDK_MCP]: aiSdkCaller((await other.tools())[name], args),
    },
  };
}

/** The parts of a tool of the AI SDK that its loop uses for a call. */
interface AiSdkTool {
  execute?: (input: never, options: never) => unknown;
  toModelOutput?: ((options: never) => unknown) | undefined;
}

function aiSdkCaller(tool: AiSdkTool | undefined, input: Args): Caller {
  const toolCallId = "call-1";
  return async () => {
    const outputs = await tool?.execute?.(input as never, { toolCallId, messages: [] } as never);
    let output = outputs;
    if (isIterable(outputs)) for await (const one of outputs) output = one;
    return tool?.toModelOutput?.({ toolCallId, input, output } as never);
  };
}

function isIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === "object" && value !== null && Symbol.asyncIterator in value;
}
