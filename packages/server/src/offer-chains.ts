import {
  type ChainResult,
  type Host,
  modelView,
  type Tool,
  type ToolFilter,
  userView,
} from "@toolrail/core";
import { defineReadTool, offeredTools } from "@toolrail/core/adapter";
import { isWaiting } from "@toolrail/core/internal";
import type { JsonObject } from "@toolrail/json";
import { type Ended, type Offer, type OfferedCall, textResult } from "./offer.ts";

/** Offers the host's tools for models, and the tool that reads stored results. Each call runs its whole chain. */
export function offerChains(host: Host, filter: ToolFilter | undefined): Offer {
  const toolOf = (name: string) =>
    offeredTools(host, filter).find(({ modelName }) => modelName === name);
  return {
    list() {
      const reader = defineReadTool(host);
      const tools = offeredTools(host, filter).map(toListed);
      if (!reader) return tools;
      const { name, description, inputSchema } = reader;
      return [...tools, { name, description, inputSchema, annotations: { readOnlyHint: true } }];
    },
    has: (name) => toolOf(name) !== undefined || defineReadTool(host)?.name === name,
    async begin(call) {
      const tool = toolOf(call.name);
      if (tool) {
        const request = { tool, arguments: call.arguments };
        return toEnded(host, call, await host.run(request, call.options));
      }
      const { conversation } = call.options;
      const read = await defineReadTool(host)?.read(call.arguments, conversation);
      const { text = `There is no tool "${call.name}" any more.`, isError = true } = read ?? {};
      return { result: textResult(text, isError) };
    },
    async resume({ state, decisions }, call) {
      const chain = state as unknown as ChainResult;
      const { "": decision = { deny: "nobody has answered" } } = decisions;
      return toEnded(host, call, await host.resume(chain, decision, call.options));
    },
  };
}

async function toEnded(
  host: Host,
  { options: { conversation } }: OfferedCall,
  chain: ChainResult,
): Promise<Ended> {
  const { runId, ended, hops, pending } = chain;
  if (isWaiting(chain) && pending) {
    return { asks: [{ path: "", pending }], state: { runId, ended, hops, pending } };
  }
  const kept = await host.keep(chain, { conversation });
  const { content, isError } = modelView(kept, { tools: host.tools });
  return { result: { content: [...content, ...userView(chain).verbatim], isError } };
}

/** Converts a tool for `tools/list`. Its name is unique among all servers of the host. */
export function toListed(tool: Tool): JsonObject {
  const { modelName: name, title, description, inputSchema, annotations } = tool;
  return {
    name,
    inputSchema,
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...(annotations && { annotations }),
  };
}
