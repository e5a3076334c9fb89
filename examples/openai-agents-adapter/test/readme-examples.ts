// The examples of README.md, where they run.
import { Agent, type Model, RunState, type RunToolApprovalItem, run } from "@openai/agents";
import { assistantMessage, functionCall, ScriptedModel } from "@openai/agents/testing";
import { createHost, type McpPort, type Server, userView } from "@toolrail/core";
import { createTools } from "../src/index.ts";

export interface Given {
  readonly bank: Server;
  readonly model: Model;
  readonly prompt: string;
  readonly askPerson: (call: RunToolApprovalItem) => Promise<boolean>;
  readonly show: (content: unknown) => void;
}

export async function withApprovals({ bank, model, prompt, askPerson, show }: Given) {
  const host = await createHost({
    servers: { bank }, // a connected MCP client
    authorize: ({ tool }) => (tool.name === "transfer" ? "ask" : "allow"),
  });
  const tools = createTools(host, { onHop: ({ hop }) => show(userView(hop).verbatim) });
  const agent = new Agent({ name: "Clerk", model, tools });

  let result = await run(agent, prompt);
  while (result.interruptions.length > 0) {
    for (const call of result.interruptions) {
      if (await askPerson(call)) result.state.approve(call);
      else result.state.reject(call, { message: "The customer said no." });
    }
    result = await run(agent, result.state);
  }
  return result.finalOutput;
}

export async function inAnotherProcess(agent: Agent, text: string) {
  const state = await RunState.fromString(agent, text); // of `result.state.toString()`
  for (const call of state.getInterruptions()) state.approve(call);
  const { finalOutput } = await run(agent, state);
  return finalOutput;
}

export async function withoutKey() {
  const inputSchema = { type: "object" };
  const shop: McpPort = {
    list: async () => ({ tools: ["find", "open"].map((name) => ({ name, inputSchema })) }),
    call: async ({ name }) => ({
      content: [{ type: "text", text: `${name} was called` }],
      _meta: name === "find" ? { nextTool: { tool: "open" } } : {},
    }),
  };
  const model = new ScriptedModel([
    [functionCall("find", {}, { callId: "1" })], // what the model says first
    [assistantMessage("Here it is.")],
  ]);
  const tools = createTools(await createHost({ servers: { shop } }));
  await run(new Agent({ name: "Clerk", model, tools }), "Find my order.");
  console.log(model.lastCall?.request.input); // "find:\nfind was called\nThen open was called:\nopen was called"
  return model;
}
