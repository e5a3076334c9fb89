import { mkdtemp, readFile as read, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createHost } from "@toolrail/core";
import { fromConfig, http, stdio } from "@toolrail/core/connect";
import { beforeEach, expect, it, onTestFinished, vi } from "vitest";
import { createWebServer } from "./web-server.ts";

const server = createWebServer({ buy: () => "bought" });

beforeEach(() => {
  vi.stubGlobal("fetch", server.fetch);
  onTestFinished(() => void vi.unstubAllGlobals());
});

it("The host of the guide reaches its address with its header, and reports the program that does not start alone.", async () => {
  const [token, folder] = ["token-1", "/no such folder"];
  vi.stubEnv("PATH", "/");
  onTestFinished(() => void vi.unstubAllEnvs());
  const host = await createHost({
    servers: {
      crm: http("https://crm.example/mcp", { headers: { authorization: `Bearer ${token}` } }),
      files: stdio("npx", ["-y", "@modelcontextprotocol/server-filesystem", folder]),
    },
  });
  onTestFinished(() => host.close());
  await host.call({ tool: "crm.buy" });
  expect(server.seen[0]?.headers.get("authorization")).toBe("Bearer token-1");
  expect(host.problems).toMatchObject([{ server: "files", code: "list-failed" }]);
  expect(host.problems[0]?.message).toContain(
    'the program "npx" cannot be started: there is no such program',
  );
});

it("The host of the guide takes its servers from a file.", async () => {
  const folder = await mkdtemp(join(tmpdir(), "toolrail-"));
  const mcpServers = { crm: { url: "https://crm.example/mcp" } };
  await writeFile(join(folder, "mcp.json"), JSON.stringify({ mcpServers }));
  const readFile = (name: string, encoding: "utf8") => read(join(folder, name), encoding);

  const config = JSON.parse(await readFile("mcp.json", "utf8"));
  const host = await createHost({ servers: fromConfig(config) });

  onTestFinished(() => host.close());
  expect(host.tools.map(({ id }) => id)).toEqual(["crm.buy"]);
});
