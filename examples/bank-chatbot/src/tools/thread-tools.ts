import type { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import {
  CallToolRequestSchema,
  type CallToolResult,
  ListToolsRequestSchema,
  type ListToolsResult,
} from "@modelcontextprotocol/sdk/types.js";
import type { BankStore } from "../bank-store.ts";
import { customerOf } from "./customer.ts";
import { threadOf } from "./thread.ts";

/** Tools that make sense in a conversation which the application has named, and in no other. */
const THREAD_TOOLS = [
  "welcome_customer",
  "verify_customer_pin",
  "begin_transfer",
  "schedule_call_back",
  "start_live_chat",
];

/** What may be used before the customer is identified. */
const OPEN_TOOLS = [
  "welcome_customer",
  "verify_customer_pin",
  "request_agent_handoff",
  "schedule_call_back",
  "start_live_chat",
];

type Handler = (request: never, extra: never) => unknown;
type SetHandler = (schema: unknown, handler: Handler) => void;
interface Request {
  readonly params?: { readonly name?: string; readonly _meta?: Record<string, unknown> };
}

/**
 * Gives each conversation its own list of tools: call it before the tools are registered. Without a
 * thread in the request `_meta` the list is the one for everybody. With one that asks for a sign-in,
 * the accounts appear when the customer is identified; until then nobody can call them either.
 */
export function listPerThread(server: McpServer, store: BankStore): void {
  const isListed = (name: string, request: Request): boolean => {
    const meta = request.params ?? {};
    const thread = threadOf(meta);
    if (!thread) return !THREAD_TOOLS.includes(name);
    const isOpen = !thread.signIn || store.isSignedIn(thread.threadId, customerOf(meta));
    return isOpen || OPEN_TOOLS.includes(name);
  };
  const inner = server.server;
  const set = inner.setRequestHandler.bind(inner) as SetHandler;
  const wrap = (schema: unknown, handler: Handler): Handler => {
    if (schema === ListToolsRequestSchema) {
      return async (request: Request, extra: never) => {
        const { tools, ...rest } = (await handler(request as never, extra)) as ListToolsResult;
        return { ...rest, tools: tools.filter(({ name }) => isListed(name, request)) };
      };
    }
    if (schema === CallToolRequestSchema) {
      return (request: Request, extra: never) => {
        const name = String(request.params?.name);
        return isListed(name, request) ? handler(request as never, extra) : notFound(name);
      };
    }
    return handler;
  };
  inner.setRequestHandler = ((schema: unknown, handler: Handler) =>
    set(schema, wrap(schema, handler))) as typeof inner.setRequestHandler;
}

function notFound(name: string): CallToolResult {
  return { content: [{ type: "text", text: `Tool ${name} not found` }], isError: true };
}
