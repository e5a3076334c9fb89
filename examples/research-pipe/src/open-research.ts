import { fileURLToPath } from "node:url";
import { createHost, type Host } from "@toolrail/core";
import { stdio } from "@toolrail/core/connect";
import { startSite } from "./start-site.ts";

export interface Research extends AsyncDisposable {
  readonly host: Host;
  /** The address of the site, without a slash at its end. */
  readonly siteUrl: string;
  /** The tool of each call that the server answered, growing as they come: what one would bill. */
  readonly toolCalls: readonly string[];
}

export interface ResearchOptions {
  /** The length of every page of the site, in bytes. */
  readonly pageBytes: number;
}

/** Opens the site, the MCP server as a separate process, and a host for its tools. */
export async function openResearch({ pageBytes }: ResearchOptions): Promise<Research> {
  const started = new AsyncDisposableStack();
  const site = await startSite(pageBytes);
  started.defer(site.close);
  const file = fileURLToPath(new URL("./research-server.ts", import.meta.url));
  const toolCalls: string[] = [];
  const host = await createHost({
    servers: { research: stdio(process.execPath, [file, site.url]) },
    // Each call is recorded once, whoever made it: a step of a pipe, or a model.
    onEvent: (event) => {
      if (event.type === "call" && event.stage === "record") toolCalls.push(event.tool);
    },
  });
  started.defer(() => host.close());
  const dispose = () => started.disposeAsync();
  return { host, siteUrl: site.url, toolCalls, [Symbol.asyncDispose]: dispose };
}
