import { fileURLToPath } from "node:url";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { createHost, type Host } from "@toolrail/core";
import { startSite } from "./start-site.ts";

export interface Research extends AsyncDisposable {
  readonly host: Host;
  /** Where the site is, without a slash at its end. */
  readonly siteUrl: string;
  /** The tool of each call that the server answered, growing as they come: what one would bill. */
  readonly toolCalls: readonly string[];
}

export interface ResearchOptions {
  /** The length of every page of the site, in bytes. */
  readonly pageBytes: number;
}

/** The site, the MCP server as a process of its own, and a host for its tools. */
export async function openResearch({ pageBytes }: ResearchOptions): Promise<Research> {
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
  const toolCalls: string[] = [];
  const host = await createHost({
    servers: { research: client },
    // Each call is recorded once, whoever made it: a step of a pipe, or a model.
    onEvent: (event) => {
      if (event.type === "call" && event.stage === "record") toolCalls.push(event.tool);
    },
  });
  started.defer(host.close);
  const dispose = () => started.disposeAsync();
  return { host, siteUrl: site.url, toolCalls, [Symbol.asyncDispose]: dispose };
}
