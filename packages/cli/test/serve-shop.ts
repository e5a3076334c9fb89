import { beforeAll } from "vitest";
import { startHttpServer } from "./fixtures/http-server.ts";

/** The flags that name a server `shop`, which runs while the tests of a file do. They are there when the tests begin. */
export function serveShop(): readonly string[] {
  const flags: string[] = [];
  beforeAll(async () => {
    const shop = await startHttpServer("streamable");
    flags.push("--server", `shop=${shop.url}`);
    return () => shop.close();
  });
  return flags;
}
