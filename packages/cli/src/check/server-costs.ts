import type { Host } from "@toolrail/core";
import { providerSchema } from "@toolrail/json/schema";
import { estimateTokenCount } from "tokenx";
import type { ServerCost } from "./check-report.ts";

/** Estimates the tokens of each server's tools in the form in which providers receive them. */
export function estimateCosts(
  { tools }: Pick<Host, "tools">,
  servers: readonly string[],
): ServerCost[] {
  return servers.map((server) => {
    const offered = tools.filter((tool) => tool.server === server && tool.forModel);
    const sent = offered.map(({ modelName: name, description, inputSchema }) => {
      const { description: more, ...parameters } = providerSchema(inputSchema);
      return { type: "function", function: { name, description, parameters, more } };
    });
    const tokens = sent.reduce((sum, tool) => sum + estimateTokenCount(JSON.stringify(tool)), 0);
    return { server, tools: offered.length, tokens };
  });
}
