import { BadRequest } from "./bad-request.ts";

/** A message in the form of chat completions. Only what the rules need is read. */
export interface ChatMessage {
  readonly role: string;
  /** Text, or a list of parts of which the text parts are read. */
  readonly content?: unknown;
  readonly tool_call_id?: unknown;
  readonly tool_calls?: unknown;
}

/** A tool the request offers. */
export interface ChatTool {
  readonly name: string;
  readonly description?: string;
  /** JSON Schema of the arguments. */
  readonly parameters?: unknown;
}

export interface ChatRequest {
  readonly messages: readonly ChatMessage[];
  /** The tools that may be called: empty with `tool_choice: "none"`. */
  readonly tools: readonly ChatTool[];
  /** The tools as they were sent, for counting. */
  readonly toolsAsSent: unknown;
  readonly stream: boolean;
}

/** Reads a request body. Throws BadRequest with the reason. */
export function parseChatRequest(body: string): ChatRequest {
  const value = parseJson(body);
  if (!isRecord(value)) throw new BadRequest("The body must be a JSON object.");
  const { messages, tools, stream, tool_choice } = value;
  if (!Array.isArray(messages) || messages.length === 0) {
    throw new BadRequest("'messages' must be a list of at least one message.", "messages");
  }
  if (!messages.every(isMessage)) {
    throw new BadRequest("Every message must be an object with a 'role'.", "messages");
  }
  if (tools !== undefined && !Array.isArray(tools)) {
    throw new BadRequest("'tools' must be a list.", "tools");
  }
  const offered = tool_choice === "none" ? [] : (tools ?? []);
  return { messages, tools: offered.map(toTool), toolsAsSent: tools, stream: stream === true };
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function parseJson(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch (cause) {
    throw new BadRequest(`The body is not JSON: ${String(cause)}`);
  }
}

function isMessage(value: unknown): value is ChatMessage {
  return isRecord(value) && typeof value.role === "string";
}

function toTool(value: unknown): ChatTool {
  const definition = isRecord(value) ? value.function : undefined;
  if (!isRecord(definition) || typeof definition.name !== "string") {
    throw new BadRequest("Every tool must be { type: 'function', function: { name } }.", "tools");
  }
  const { name, description, parameters } = definition;
  return { name, parameters, ...(typeof description === "string" && { description }) };
}
