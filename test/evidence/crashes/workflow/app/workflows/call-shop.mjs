import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";

/** A call of the shop. As a step it is tried again where it fails, which is the default. */
export async function callShop(name, args) {
  "use step";
  const shop = new Client({ name: "plain-workflow", version: "1.0.0" });
  await shop.connect(new StreamableHTTPClientTransport(new URL(process.env.SHOP_URL)));
  try {
    const { content } = await shop.callTool({ name, arguments: args });
    return content;
  } finally {
    await shop.close();
  }
}
