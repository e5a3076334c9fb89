import { once } from "node:events";
import { McpServer } from "@modelcontextprotocol/server";
import { StdioServerTransport, serveStdio } from "@modelcontextprotocol/server/stdio";
import { createHost } from "@toolrail/core";
import { serveHost } from "@toolrail/server";
import manifest from "../../package.json" with { type: "json" };
import type { CommandCall, Outcome } from "../command.ts";
import { message } from "../terminal/plain-text.ts";
import { UsageError } from "../usage-error.ts";
import { readHostConfig } from "./read-host-config.ts";
import { serveHttp } from "./serve-http.ts";

/** Serves a host until its client disconnects, or until Ctrl-C. */
export async function runServe({ flags, context }: CommandCall): Promise<Outcome> {
  const { config, port } = flags;
  const { signal, stderr } = context;
  if (config === undefined) throw new UsageError("No host given: use --config FILE.");
  const { options, offered } = await readHostConfig(config, context.env);
  let onChange = () => {};
  const host = await createHost({
    ...options,
    onEvent(event) {
      if (event.type === "tools-changed") onChange();
      const isShown = event.type === "problem" || event.type === "warning";
      if (isShown) stderr.write(message(event.message));
    },
  });
  const create = () => {
    const server = new McpServer({ name: "toolrail", version: manifest.version });
    serveHost(server, host, offered);
    return server;
  };
  try {
    if (port === undefined) await overStdio(create, context);
    else {
      const listening = await serveHttp(create, port);
      onChange = listening.notifyToolsChanged;
      stderr.write(message(`Serving ${host.tools.length} tools on ${listening.url}`));
      if (!signal.aborted) await once(signal, "abort");
      await listening.close();
    }
  } finally {
    await host.close();
  }
  return { ok: true, document: undefined, text: () => "" }; // Only MCP may be written to stdout.
}

/** Serves one client over standard input and output, until it disconnects. */
async function overStdio(
  create: () => McpServer,
  { stdin, stdout, signal }: CommandCall["context"],
): Promise<void> {
  const transport = new StdioServerTransport(stdin, stdout);
  const served = serveStdio(create, { transport });
  const ended = new Promise<void>((resolve) => {
    stdin.once("end", resolve);
    stdin.once("close", resolve);
    signal.addEventListener("abort", () => resolve());
    if (signal.aborted) resolve();
  });
  await ended;
  await served.close();
}
