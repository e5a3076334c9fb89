import { type ChatMessage, type ChatRequest, type ChatTool, isRecord } from "./chat-request.ts";

/** A tool's answer as the model reads it. */
export interface ToolResult {
  /** The tool's name in the request, with its prefix. Empty if the call is not in the messages. */
  readonly name: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  readonly text: string;
}

/** The data that a rule may see. */
export interface Turn {
  readonly messages: readonly ChatMessage[];
  /** The tools of this request. No other tool can be called. */
  readonly tools: readonly ChatTool[];
  /** The user's last text, or "". */
  readonly lastUser: string;
  /** The results in order, the oldest first. Empty right after the user's text. */
  readonly toolResultsSinceUser: readonly ToolResult[];
}

export function toTurn({ messages, tools }: ChatRequest): Turn {
  const userIndex = messages.findLastIndex(({ role }) => role === "user");
  const calls = new Map(messages.flatMap(callsOf));
  const toolResultsSinceUser = messages
    .slice(userIndex + 1)
    .filter(({ role }) => role === "tool")
    .map((message) => ({
      name: "",
      arguments: {},
      ...calls.get(String(message.tool_call_id)),
      text: textOf(message),
    }));
  const lastUser = textOf(messages[userIndex]);
  return { messages, tools, lastUser, toolResultsSinceUser };
}

type Call = Pick<ToolResult, "name" | "arguments">;

function callsOf({ tool_calls }: ChatMessage): (readonly [string, Call])[] {
  if (!Array.isArray(tool_calls)) return [];
  return tool_calls.filter(isRecord).flatMap(({ id, function: called }) => {
    if (!isRecord(called)) return [];
    const call = { name: String(called.name), arguments: parseArguments(called.arguments) };
    return [[String(id), call] as const];
  });
}

function parseArguments(text: unknown): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(String(text));
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
}

function textOf(message: ChatMessage | undefined): string {
  const content = message?.content;
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  return content
    .filter(isRecord)
    .map(({ text }) => (typeof text === "string" ? text : ""))
    .join("\n");
}
