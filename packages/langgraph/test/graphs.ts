import { AIMessage, type BaseMessage, ToolMessage } from "@langchain/core/messages";
import { createHost, type HostOptions } from "@toolrail/core";
import { onTestFinished } from "vitest";
import { createTestServer, type TestTool } from "../../core/test/servers.ts";

/** A host over one server in memory, `bank`, closed when the test is over. */
export async function openBank(
  tools: Record<string, TestTool>,
  options: Omit<HostOptions, "servers"> = {},
) {
  const server = await createTestServer(tools);
  const host = await createHost({ ...options, servers: { bank: server.client } });
  onTestFinished(() => host.close());
  return { host, server };
}

/** A conversation that a user opens. */
export const QUESTION = { messages: [{ role: "user", content: "please" }] };

export function toolMessages(messages: readonly BaseMessage[]): ToolMessage[] {
  return messages.filter((message) => ToolMessage.isInstance(message));
}

/** One line for each message: who speaks, the calls or the text. */
export function outline(messages: readonly BaseMessage[]): string[] {
  return messages.map((message) => {
    if (ToolMessage.isInstance(message)) return `tool ${message.tool_call_id}: ${message.text}`;
    const calls = AIMessage.isInstance(message) ? (message.tool_calls ?? []) : [];
    const names = calls.map(({ name }) => name).join(", ");
    return `${message.type}: ${names || message.text}`;
  });
}
