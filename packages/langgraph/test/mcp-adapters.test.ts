import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { MultiServerMCPClient } from "@langchain/mcp-adapters";
import { createHost } from "@toolrail/core";
import { expect, it, onTestFinished } from "vitest";
import { adapterServers, createTools } from "../src/index.ts";
import { calling } from "./scripted-model.ts";

const server = fileURLToPath(new URL("./durable/counting-server.ts", import.meta.url));

it("All servers of a MultiServerMCPClient go into a host, and stay open when it closes.", async () => {
  const folder = mkdtempSync(join(tmpdir(), "toolrail-"));
  const calls = join(folder, "calls.txt");
  const adapters = new MultiServerMCPClient({
    mcpServers: { counting: { command: process.execPath, args: [server, calls] } },
  });
  onTestFinished(async () => {
    await adapters.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const host = await createHost({ servers: adapterServers(adapters) });
  const tools = createTools(host);
  expect(tools.map(({ name }) => name)).toEqual(["a", "b", "c", "say"]);
  const message = await tools[0]?.invoke(calling("a"));
  expect(message).toMatchObject({ status: "success", artifact: { ended: "complete" } });
  expect(readFileSync(calls, "utf8").trim().split("\n")).toEqual(["a", "b", "c"]);

  await host.close();
  expect(await adapters.getTools()).toHaveLength(4);
});
