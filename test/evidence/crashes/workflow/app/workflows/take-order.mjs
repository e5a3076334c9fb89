import { WorkflowAgent } from "@ai-sdk/workflow";
import { jsonSchema } from "ai";
import { callShop } from "./call-shop.mjs";
import { scriptedModel } from "./scripted-model.mjs";

const inputSchema = {
  type: "object",
  properties: { order: { type: "number" } },
  required: ["order"],
};

/** An order of three calls, each a tool of the agent whose call is a step. */
export async function takeOrder(order) {
  "use workflow";
  const offer = (name) => ({
    description: `Does ${name}.`,
    inputSchema: jsonSchema(inputSchema),
    execute: (input) => callShop(name, input),
  });
  const tools = { reserve: offer("reserve"), charge: offer("charge"), ship: offer("ship") };
  const agent = new WorkflowAgent({ model: scriptedModel(order), tools });
  const run = await agent.stream({ messages: [{ role: "user", content: `Take order ${order}.` }] });
  return { text: run.steps.at(-1)?.text };
}
