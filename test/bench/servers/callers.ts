import { loadMcpTools } from "@langchain/mcp-adapters";
import * as forAiSdk from "@toolrail/ai-sdk";
import { createHost, modelView } from "@toolrail/core";
import * as forLangGraph from "@toolrail/langgraph";
import { jsonSchema, tool } from "ai";
import * as names from "../names.ts";
import type { Connection } from "./connect.ts";

type Args = Readonly<Record<string, unknown>>;

/** Calls one tool with new arguments, up to what a model reads of the result. */
export type Caller = () => Promise<unknown>;

/** All that can call a tool, over the same kind of connection, by the names of the tables. */
export async function callersOf({ client, other }: Connection, name: string, args: () => Args) {
  const host = await createHost({ servers: { bench: { client, shared: true } } });
  const ofHost = () => ({ tool: `bench.${name}`, arguments: args() });
  const ofModel = () => ({ type: "tool_call", id: "call-1", name, args: args() }) as const;
  const ours = forLangGraph.createTools(host).find((one) => one.name.endsWith(name));
  const theirs = (await loadMcpTools("bench", client)).find((one) => one.name === name);
  const sdkTools = Object.entries(forAiSdk.createTools(host));
  return {
    raw: () => client.callTool({ name, arguments: args() }),
    [names.HOST_CALL]: () => host.call(ofHost()),
    [names.HOST]: async () => modelView(await host.run(ofHost())),
    [names.AI_SDK]: aiSdkCaller(sdkTools.find(([key]) => key.endsWith(name))?.[1], args),
    [names.BY_HAND]: aiSdkCaller(byHand(client, name), args),
    [names.LANGGRAPH]: async () => ours?.invoke(ofModel()),
    [names.MCP_ADAPTERS]: async () => theirs?.invoke(ofModel()),
    [names.AI_SDK_MCP]: aiSdkCaller((await other.tools())[name], args),
  } satisfies Record<string, Caller>;
}

/** The tool that one writes for the AI SDK with the SDK's client and nothing else. */
function byHand(client: Connection["client"], name: string): AiSdkTool {
  return tool({
    inputSchema: jsonSchema<Args>({ type: "object" }),
    execute: (input) => client.callTool({ name, arguments: input }),
    toModelOutput({ output }) {
      const blocks = output.content as { readonly text?: string }[];
      return { type: "text", value: blocks.map(({ text }) => text).join("\n") };
    },
  }) as AiSdkTool;
}

/** The parts of a tool of the AI SDK that its loop uses for a call. */
interface AiSdkTool {
  execute?: (input: never, options: never) => unknown;
  toModelOutput?: ((options: never) => unknown) | undefined;
}

function aiSdkCaller(sdkTool: AiSdkTool | undefined, args: () => Args): Caller {
  const toolCallId = "call-1";
  return async () => {
    const input = args();
    const output = await sdkTool?.execute?.(input as never, { toolCallId, messages: [] } as never);
    return sdkTool?.toModelOutput?.({ toolCallId, input, output } as never);
  };
}
