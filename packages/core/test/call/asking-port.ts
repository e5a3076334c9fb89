import type { ToolCallRequest } from "../../src/call/port.ts";
import type { McpPort } from "../../src/index.ts";

export const PIN_FORM = {
  type: "object",
  properties: { pin: { type: "string", minLength: 4 } },
  required: ["pin"],
};

export function askForPin(requestState = "state-1", message = "Your PIN?") {
  const params = { mode: "form", message, requestedSchema: PIN_FORM };
  const pin = { method: "elicitation/create", params };
  return { resultType: "input_required", inputRequests: { pin }, requestState };
}

/** A server on MCP 2026-07-28 whose `transfer` asks for a PIN, and the calls that it got. */
export function askingPort(
  answer: (call: ToolCallRequest) => unknown = ({ inputResponses }) =>
    inputResponses
      ? { content: [{ type: "text", text: `sent ${JSON.stringify(inputResponses)}` }] }
      : askForPin(),
) {
  const calls: ToolCallRequest[] = [];
  const inputSchema = { type: "object", properties: { amount: { type: "number" } } };
  const port: McpPort = {
    list: async () => ({ tools: [{ name: "transfer", inputSchema }] }),
    async call(call) {
      calls.push(call);
      return answer(call);
    },
  };
  return { port, calls };
}

export const ACCEPTED = { action: "accept", content: { pin: "1234" } } as const;
