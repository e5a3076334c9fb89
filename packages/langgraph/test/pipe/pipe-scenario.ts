import type { TestServer } from "../../../core/test/servers.ts";

export { echo, openPipeHost, say } from "../../../core/test/pipe/pipe-scenario.ts";

/** What each call was asked to echo, in order. */
export function said(web: TestServer): unknown[] {
  return web.seen.map(({ name, arguments: { v } }) => v ?? name);
}
