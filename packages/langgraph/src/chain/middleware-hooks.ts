import type { AIMessage, BaseMessage, ToolMessage } from "@langchain/core/messages";
import type { ToolCall } from "@langchain/core/messages/tool";
import type { Command } from "@langchain/langgraph";

interface ModelRequest {
  readonly messages: BaseMessage[];
  readonly tools: readonly unknown[];
  readonly toolChoice?: unknown;
  readonly state: object;
}

interface ToolRequest {
  readonly toolCall: ToolCall;
  readonly tool: unknown;
  readonly state: object;
  readonly runtime?: { readonly signal?: AbortSignal; readonly context?: unknown };
}

type Answer<Value> = Value | Promise<Value>;

/** The hooks of a `createAgent` middleware, declared here because graphs built by hand need not install `langchain`. */
export interface MiddlewareHooks {
  wrapModelCall<Request extends ModelRequest>(
    request: Request,
    handler: (request: Request) => Answer<AIMessage>,
  ): Promise<AIMessage>;
  wrapToolCall<Request extends ToolRequest>(
    request: Request,
    handler: (request: Request) => Answer<ToolMessage | Command>,
  ): Promise<ToolMessage | Command>;
}
