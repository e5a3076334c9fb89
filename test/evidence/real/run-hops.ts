import { createTools } from "@toolrail/ai-sdk";
import { createHost, type Host, type HostOptions, type McpPort } from "@toolrail/core";
import { generateText, isStepCount, jsonSchema, tool } from "ai";
import type { MeteredModel } from "./model.ts";
import type { Finding } from "./stories.ts";

const PROMPT = "What is wrong with order 7? If it is late, I want a ticket for it.";

/** A chain of two calls in one tool call, once with the names of the tools in what the model reads, and once without. */
export async function runHops(metered: MeteredModel): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  for (const labelled of [true, false]) {
    let tickets = 0;
    const host = await createHost({ servers: { shop: openShop(() => ++tickets) }, ...OPEN });
    const tools = labelled
      ? createTools(host)
      : Object.fromEntries(host.tools.map((one) => [one.modelName, withoutNames(host, one.id)]));
    try {
      const { text } = await generateText({
        ...{ model: metered.model, prompt: PROMPT, tools, stopWhen: isStepCount(6), maxRetries: 1 },
      });
      const named = /T-\d/.test(text) ? "the answer names a ticket" : "the answer names no ticket";
      const outcome = `tickets opened: ${tickets} (1 is right), ${named}`;
      const what = labelled ? "each result after its tool's name" : "results without names";
      findings.push({ what, outcome, ...(await metered.readCosts()) });
    } finally {
      await host.close();
    }
  }
  return findings;
}

const OPEN: Pick<HostOptions, "authorize"> = { authorize: () => "allow" };
const ORDER = { type: "object", properties: { order: { type: "number" } }, required: ["order"] };

function openShop(openTicket: () => number): McpPort {
  return {
    list: async () => ({
      tools: [
        { name: "check_order", description: "Says how an order is doing.", inputSchema: ORDER },
        { name: "open_ticket", description: "Opens a ticket about an order.", inputSchema: ORDER },
      ],
    }),
    call: async ({ name, arguments: args = {} }) => {
      const text =
        name === "check_order"
          ? "The parcel has not left the depot for nine days."
          : `Somebody will look at it: T-${openTicket()}.`;
      const content = [{ type: "text", text }];
      const nextTool = { tool: "open_ticket", arguments: { order: args.order } };
      return { content, ...(name === "check_order" && { _meta: { nextTool } }) };
    },
  };
}

/** A tool whose chain reads as if all of it were its own answer. */
function withoutNames(host: Host, id: string) {
  const { description = "", inputSchema } = host.find(id);
  return tool({
    description,
    inputSchema: jsonSchema<Record<string, unknown>>(inputSchema),
    async execute(args) {
      const { hops } = await host.run({ tool: id, arguments: args }, { origin: { by: "model" } });
      return hops.flatMap(({ result }) => result.content.map(({ text }) => text)).join("\n");
    },
  });
}
