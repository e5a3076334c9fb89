import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import type { CallToolRequest, ListToolsRequest } from "@modelcontextprotocol/sdk/types.js";
import { getStepMetadata } from "workflow";

/** The limits of one request, in milliseconds. A workflow has no timers: its steps keep the time. */
interface Limits {
  readonly timeoutMs: number;
  readonly totalTimeoutMs: number;
}

/** Requests `tools/list`. The step is tried again if it fails, by default three times. */
export async function listTools(params: ListToolsRequest["params"], limits: Limits) {
  "use step";
  return askShop((shop) => shop.listTools(params, toOptions(limits)));
}

/** `tools/call`, with the id of its step as its key: a process that dies in it leaves it to the next, which sends the same. */
export async function callTool(params: CallToolRequest["params"], limits: Limits) {
  "use step";
  const _meta = { ...params._meta, "toolrail/idempotencyKey": getStepMetadata().stepId };
  return askShop((shop) => shop.callTool({ ...params, _meta }, undefined, toOptions(limits)));
}
callTool.maxRetries = 0; // A call that failed may have been made: the chain ends, and its reader decides.

/** A connection for one step, since the next one may run in another process. */
async function askShop<T>(ask: (shop: Client) => Promise<T>): Promise<T> {
  const shop = new Client({ name: "durable-workflow", version: "1.0.0" });
  const url = new URL(process.env.SHOP_URL ?? "http://127.0.0.1:3333/mcp");
  await shop.connect(new StreamableHTTPClientTransport(url));
  try {
    return await ask(shop);
  } finally {
    await shop.close();
  }
}

const toOptions = ({ timeoutMs, totalTimeoutMs }: Limits) => ({
  timeout: timeoutMs,
  maxTotalTimeout: totalTimeoutMs,
});
