import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { createHost } from "@toolrail/core";
import { schemas } from "./tools";

async function connectShop() {
  const client = new Client({ name: "next-chat", version: "1.0.0" });
  const url = process.env.SHOP_URL ?? "http://127.0.0.1:3333/mcp";
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  return client;
}

function openHost() {
  return createHost({
    servers: { shop: connectShop }, // A function: connected when it is needed, and again when it was lost.
    schemas,
    ask: ["shop.refund"],
    onEvent: (event) => {
      if (event.type === "warning" || event.type === "problem") console.warn(event);
    },
  });
}

// A hot reload runs this module again; values on `globalThis` survive that.
const kept = globalThis as { shopHost?: ReturnType<typeof openHost> };

/** The one host of this process. Nothing is connected until the first request, so that a build needs no server. */
export function getHost() {
  kept.shopHost ??= openHost();
  return kept.shopHost;
}
