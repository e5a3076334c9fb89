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
import { type Ended, NO_ANSWER, type Offer, type OfferedCall, textResult } from "./offer.ts";

/** Offers the host's tools for models, and the tool that reads stored results. Each call runs its whole chain. */
export function offerChains(host: Host, filter: ToolFilter | undefined): Offer {
  const reader = defineReadTool(host);
  return {
    list() {
      const tools = offeredTools(host, filter).map(toListed);
      if (!reader) return tools;
      const { name, description, inputSchema } = reader;
      return [...tools, { name, description, inputSchema, annotations: { readOnlyHint: true } }];
    },
    find(name) {
      const tool =
        offeredTools(host, filter).find(({ modelName }) => modelName === name) ??
        (reader?.name === name ? reader : undefined);
      if (!tool) return undefined;
      return {
        async begin(call) {
          const { arguments: args, options } = call;
          if (!("read" in tool)) {
            return toEnded(host, call, await host.run({ tool, arguments: args }, options));
          }
          const { text, isError } = await tool.read(args, options.conversation);
          return { result: textResult(text, isError) };
        },
        async resume({ state, decisions: { "": decision = NO_ANSWER } }, call) {
          const chain = state as unknown as ChainResult;
          return toEnded(host, call, await host.resume(chain, decision, call.options));
        },
      };
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
