import { createHost } from "@toolrail/core";
import { http } from "@toolrail/core/connect";
import { schemas } from "./tools";

function openHost() {
  return createHost({
    servers: { shop: http(process.env.SHOP_URL ?? "http://127.0.0.1:3333/mcp") },
    schemas,
    requireApproval: ["shop.refund"],
    onEvent: (event) => {
      if (event.type === "warning" || event.type === "problem") console.warn(event);
    },
  });
}

// A hot reload runs this module again, and values on `globalThis` survive that.
const kept = globalThis as { shopHost?: ReturnType<typeof openHost> };

/** The one host of this process. Nothing is connected until the first request, so that a build needs no server. */
export function getHost() {
  kept.shopHost ??= openHost();
  return kept.shopHost;
}
