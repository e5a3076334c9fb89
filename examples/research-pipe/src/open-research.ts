import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { createHost, type Host, type HostEvent } from "@toolrail/core";
import { startSite } from "./start-site.ts";

export interface Research extends AsyncDisposable {
  readonly host: Host;
  /** Where the site is, without a slash at its end. */
  readonly siteUrl: string;
}

export interface ResearchOptions {
  /** The length of every page of the site, in bytes. */
  readonly pageBytes: number;
  readonly onEvent?: (event: HostEvent) => void;
}

/** The site, the MCP server as a process of its own, and a host for its tools. */
export async function openResearch({ pageBytes, onEvent }: ResearchOptions): Promise<Research> {
  const started = new AsyncDisposableStack();
  const site = await startSite(pageBytes);
  started.defer(site.close);
  const client = new Client({ name: "research-pipe", version: "1.0.0" });
  const file = fileURLToPath(new URL("./research-server.ts", import.meta.url));
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [file, site.url],
    stderr: "ignore",
  });
  await client.connect(transport);
  const host = await createHost({ servers: { research: client }, ...(onEvent && { onEvent }) });
  started.defer(host.close);
  return { host, siteUrl: site.url, [Symbol.asyncDispose]: () => started.disposeAsync() };
}
