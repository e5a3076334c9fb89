import { WorkflowAgent } from "@ai-sdk/workflow";
import { createTools } from "@toolrail/ai-sdk";
import { toWorkflowTools } from "@toolrail/ai-sdk/workflow";
import { createHost, type Decision, userView } from "@toolrail/core";
import type { ModelMessage } from "ai";
import { createHook } from "workflow";
import { LIMITS as limits } from "./limits";
import { scriptedModel } from "./scripted-model";
import { shopPort } from "./shop-port";
import { showUser } from "./show-user";

/** A person's decision about the waiting calls: yes, or no with a reason. */
type Answer = Extract<Decision, "approve" | { readonly deny: string }>;

/** Takes an order back by an agent: each answer of its model is a step, and the chain runs inside the call it makes. */
export async function returnAgent(order: number) {
  "use workflow";
  const host = await createHost({
    servers: { shop: shopPort },
    requireApproval: ["shop.refund"],
    limits,
  });
  const tools = createTools(host, { onHop: ({ hop }) => showUser(userView(hop).verbatim) });
  const agent = new WorkflowAgent({ model: scriptedModel(order), tools: toWorkflowTools(tools) });
  let messages: ModelMessage[] = [{ role: "user", content: `Take order ${order} back.` }];
  for (;;) {
    const run = await agent.stream({ messages });
    const made = run.toolResults.map(({ toolCallId }) => toolCallId);
    const waiting = run.toolCalls.filter(({ toolCallId }) => !made.includes(toolCallId));
    if (waiting.length === 0) return { text: run.steps.at(-1)?.text };
    const asked = waiting.map(({ toolName, input }) => `${toolName} ${JSON.stringify(input)}`);
    using decision = createHook<Answer>({
      token: `return-${order}`,
      metadata: { asked }, // The data that the person is shown.
    });
    messages = [...run.messages, ...toMessages(await decision, waiting)];
  }
}

/** Converts a person's decision to messages, as the agent reads it. */
function toMessages(
  decision: Answer,
  calls: readonly { readonly toolCallId: string }[],
): ModelMessage[] {
  const ids = calls.map(({ toolCallId }) => ({ approvalId: toolCallId, toolCallId }));
  const answer =
    decision === "approve" ? { approved: true } : { approved: false, reason: decision.deny };
  return [
    { role: "assistant", content: ids.map((id) => ({ type: "tool-approval-request", ...id })) },
    {
      role: "tool",
      content: ids.map((id) => ({ type: "tool-approval-response", ...id, ...answer })),
    },
  ];
}
