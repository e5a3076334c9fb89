import type { AIMessage, BaseMessage, ToolMessage } from "@langchain/core/messages";
import type { ToolCall } from "@langchain/core/messages/tool";
import type { Command } from "@langchain/langgraph";
import { invalidOptions } from "@toolrail/core/adapter";

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

/** Makes `createAgent` throw if a factory is in its list without being called: it would be a middleware that does nothing. */
export function refuseUncalled<Create extends (...given: never[]) => MiddlewareHooks>(
  create: Create,
): Create & { readonly wrapModelCall: "call it first" } {
  const example = `write it as in middleware: [${create.name}(host)]`;
  const get = () => {
    throw invalidOptions(`${create.name} is not called yet: ${example}.`);
  };
  return Object.defineProperty(create, "wrapModelCall", { get }) as never;
}
