import type { AIMessage, ToolMessage } from "@langchain/core/messages";
import type { Command } from "@langchain/langgraph";

type Answer<Value> = Value | Promise<Value>;

/**
 * The hooks of a middleware of `createAgent`, in the shape that `createMiddleware` makes, for middleware
 * that needs this much of a request. Written without `langchain`, so that graphs built by hand need not
 * install it.
 */
export interface MiddlewareHooks<ModelRequest, ToolRequest> {
  wrapModelCall<Request extends ModelRequest>(
    request: Request,
    handler: (request: Request) => Answer<AIMessage>,
  ): Promise<AIMessage>;
  wrapToolCall<Request extends ToolRequest>(
    request: Request,
    handler: (request: Request) => Answer<ToolMessage | Command>,
  ): Promise<ToolMessage | Command>;
}
