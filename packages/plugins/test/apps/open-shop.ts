import { createHost, type HostEvent, type HostOptions, type McpPort } from "@toolrail/core";
import type { JsonObject } from "@toolrail/json";
import { type AppCallOptions, createAppCalls } from "@toolrail/plugins/apps";
import { resources } from "@toolrail/plugins/resources";

export const DESK = "ui://shop/desk";
export const BANK_DESK = "ui://bank/desk";

interface ShopTool {
  readonly definition?: JsonObject;
  readonly answer?: (args: JsonObject, signal?: AbortSignal) => unknown;
}

const shows = (resourceUri: string) => ({ _meta: { ui: { resourceUri } } });
const seenBy = (...visibility: string[]) => ({ _meta: { ui: { visibility } } });

/** What the app of the shop finds on its server, and what it must not reach. */
const SHOP: Readonly<Record<string, ShopTool>> = {
  open_desk: { definition: shows(DESK) },
  find_order: { definition: { title: "Find", outputSchema: { type: "object" } }, answer: found },
  refund: { definition: { annotations: { destructiveHint: true } } },
  refresh: { definition: seenBy("app") },
  ask_model: { definition: seenBy("model") },
  broken: { definition: { _meta: { ui: { visibility: "app" } } } },
};
const BANK: Readonly<Record<string, ShopTool>> = { transfer: { definition: shows(BANK_DESK) } };

function found({ order }: JsonObject) {
  const label = { type: "text", text: "Label R-7", annotations: { audience: ["user"] } };
  return { content: [label], structuredContent: { order }, _meta: { "shop/token": "t" } };
}

function serve(tools: Readonly<Record<string, ShopTool>>, read: readonly unknown[] = []) {
  const calls: string[] = [];
  const asked: string[] = [];
  const port: McpPort = {
    list: async () => ({
      tools: Object.entries(tools).map(([name, { definition }]) => ({
        name,
        inputSchema: { type: "object" },
        ...definition,
      })),
    }),
    mayAsk: () => true,
    async call({ name, arguments: args }, { signal }) {
      calls.push(name);
      const answer = await tools[name]?.answer?.(args, signal);
      return answer ?? { content: [{ type: "text", text: `${name} done` }] };
    },
    async request({ method, params }) {
      asked.push(String(params.uri ?? method));
      if (method === "resources/list") return { resources: [{ uri: "shop://1", name: "One" }] };
      const [own = { uri: params.uri, text: `This is ${params.uri}.` }] = read;
      return { contents: [own] };
    },
  };
  return { port, calls, asked };
}

/** A host of a shop and a bank, and the calls of the shop's app in a conversation. */
export async function openShop({
  tools = {},
  read,
  app = {},
  ...options
}: Partial<Omit<HostOptions, "servers">> & {
  readonly tools?: Readonly<Record<string, ShopTool>>;
  readonly read?: readonly unknown[];
  readonly app?: Partial<AppCallOptions>;
} = {}) {
  const shop = serve({ ...SHOP, ...tools }, read);
  const bank = serve(BANK);
  const events: HostEvent[] = [];
  const host = await createHost({
    servers: { shop: shop.port, bank: bank.port },
    use: [resources([])],
    onEvent: (event) => events.push(event),
    ...options,
  });
  const openApp = (more: Partial<AppCallOptions> = {}) =>
    createAppCalls(host, { server: "shop", uri: DESK, conversation: "chat-1", ...app, ...more });
  const calls = openApp();
  return { host, shop, bank, events, calls, openApp };
}

/** A JSON-RPC request as the frame posts it. */
export const request = (method: string, params: unknown = {}) => ({
  jsonrpc: "2.0",
  id: 1,
  method,
  params,
});
export const callOf = (name: string, args: unknown = {}) =>
  request("tools/call", { name, arguments: args });
