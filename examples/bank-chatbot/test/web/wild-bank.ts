import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { onTestFinished } from "vitest";

type Json = Readonly<Record<string, unknown>>;

interface Request {
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: Json;
}

interface Call {
  readonly name: string;
  readonly args: Json;
  readonly threadId: string;
}

const VENDOR = "vendor.example";
export const CONTEXT_KEY = `${VENDOR}/systemcontext`;

const forUser = (words: string) => ({
  type: "text",
  text: words,
  annotations: { audience: ["user"] },
});
const closed = (properties: Json, required: string[] = []) => ({
  type: "object",
  properties,
  required,
  additionalProperties: false,
});
const text_ = { type: "string" };
const widget = (value: Json) => ({ content: [], _meta: { [`${VENDOR}/widget`]: value } });
const APP_ONLY = { ui: { visibility: ["app"] } };

/** What a tool is before and after the customer is known. */
const TOOLS: readonly (Json & { readonly name: string; readonly early?: boolean })[] = [
  { name: "welcome", early: true, inputSchema: closed({}), _meta: { welcomeTool: true } },
  {
    name: "verify_pin",
    early: true,
    inputSchema: closed({ pin: { type: "string", pattern: "^\\d{4,12}$" } }, ["pin"]),
    _meta: APP_ONLY,
  },
  // Promises a structured result, and answers with a widget alone.
  { name: "pay_mortgage", inputSchema: closed({}), outputSchema: closed({ paid: text_ }) },
  {
    name: "choose_date",
    inputSchema: closed({ accountId: text_, date: { type: "string", format: "date" } }),
    _meta: APP_ONLY,
  },
  {
    name: "set_amount",
    inputSchema: closed({ date: text_, amount: { type: "number" } }, ["amount"]),
    _meta: APP_ONLY,
  },
  { name: "settle", inputSchema: closed({ decision: text_ }), _meta: APP_ONLY },
  { name: "leave_note", inputSchema: closed({ note: text_ }) },
  { name: "bad_date", inputSchema: closed({}) },
  { name: "locked_card", inputSchema: closed({}) },
  { name: "hand_over", inputSchema: closed({ reason: text_ }) },
  { name: "goodbye", inputSchema: closed({}) },
];

/**
 * A bank as it is met in the wild: POST only, no session, JSON answers; GET is 404. Without its own
 * context key in the request `_meta` it knows nobody, and its news of new tools is a hint in `_meta`.
 */
export async function startWildBank() {
  const known = new Set<string>();
  const calls: Call[] = [];
  const isListed = (name: string, threadId: string) =>
    TOOLS.some((tool) => tool.name === name && (tool.early || known.has(threadId)));

  function answer({ name, args, threadId }: Call): Json {
    switch (name) {
      case "welcome":
        return {
          content: [forUser("Welcome to the wild bank.")],
          _meta: {
            [`${VENDOR}/widget`]: {
              type: "number",
              title: "Your PIN",
              on_event: {
                tool: "verify_pin",
                parameters: { customerId: "c1" },
                map_input_to: "pin",
              },
            },
          },
        };
      case "verify_pin":
        known.add(threadId);
        return { content: [forUser("Signed in.")], _meta: { refreshThreadCapabilities: threadId } };
      case "pay_mortgage":
        return widget({
          type: "options",
          title: "From which account?",
          options: [{ value: "a1", label: "First account" }],
          on_event: [
            { tool: "choose_date", parameters: { customerId: "c1" }, map_input_to: "accountId" },
          ],
        });
      case "choose_date":
        return args.date === undefined
          ? widget({
              type: "datetime",
              title: "When?",
              on_event: { tool: "choose_date", parameters: args, map_input_to: "date" },
            })
          : widget({
              type: "number",
              title: "How much?",
              on_event: { tool: "set_amount", parameters: args, map_input_to: "amount" },
            });
      case "set_amount":
        return widget({
          type: "confirmation",
          title: "Pay?",
          on_confirm: { tool: "settle", parameters: { decision: "yes" } },
          on_cancel: { tool: "settle", parameters: { decision: "no" } },
        });
      case "settle":
        return { content: [forUser(`Settled: ${args.decision}.`)] };
      case "leave_note":
        return args.note === undefined
          ? widget({
              type: "text",
              title: "Your note",
              on_event: { tool: "leave_note", parameters: {}, map_input_to: "note" },
            })
          : { content: [forUser(`Noted: ${args.note}.`)] };
      case "bad_date":
        return { content: [forUser("That date is in the past.")], isError: true };
      case "locked_card":
        return {
          content: [forUser("Your card is locked.")],
          _meta: { nextTool: { name: "hand_over", arguments: { reason: "locked card" } } },
        };
      case "hand_over":
        return {
          content: [],
          _meta: { [`${VENDOR}/extensions`]: { connect_to_agent: { agent_available: "Hello!" } } },
        };
      default:
        return { content: [], _meta: { [`${VENDOR}/extensions`]: { end_interaction: {} } } };
    }
  }

  function respond({ method, params = {} }: Request): Json {
    const meta = (params._meta ?? {}) as Json;
    const context = meta[CONTEXT_KEY] as { readonly thread_id?: string } | undefined;
    const threadId = context?.thread_id ?? "";
    if (method === "initialize") {
      const { protocolVersion } = params;
      const capabilities = { tools: { listChanged: true } };
      return { protocolVersion, capabilities, serverInfo: { name: "wild", version: "1" } };
    }
    if (method === "tools/list") {
      return { tools: TOOLS.filter(({ name }) => isListed(name, threadId)) };
    }
    const call = { name: String(params.name), args: (params.arguments ?? {}) as Json, threadId };
    calls.push(call);
    if (threadId && isListed(call.name, threadId)) return answer(call);
    return { content: [{ type: "text", text: `Tool ${call.name} not found` }], isError: true };
  }

  const server = createServer((request, response) => {
    handle(request, response).catch(() => response.destroy());
  });

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method !== "POST") return void response.writeHead(404).end();
    const message = JSON.parse(await text(request)) as Request;
    if (message.id === undefined) return void response.writeHead(202).end();
    const body = { jsonrpc: "2.0", id: message.id, result: respond(message) };
    response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
  }

  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  return { url: new URL(`http://127.0.0.1:${port}/mcp`), calls };
}
