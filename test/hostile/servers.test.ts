import { join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { createHost, type McpPort } from "@toolrail/core";
import { describe, expect, it, onTestFinished } from "vitest";
import { asking, createTestServer } from "../../packages/core/test/servers.ts";

const INFO = { name: "test-client", version: "1" };

/** Below the ports that are given out: nothing else that runs here can come to listen at it. */
const NOBODY = new URL("http://127.0.0.1:2/mcp");

/** A client of a server process of our own, which is ended with the test. */
async function startDyingServer(): Promise<Client> {
  const client = new Client(INFO);
  const script = join(import.meta.dirname, "fixtures/dying-server.mjs");
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [script] }));
  onTestFinished(() => client.close());
  return client;
}

/** A client whose `tools/list` gives out pages without end. */
/** A server in this process whose list has one tool a page, and no end. */
function endlessPort(nextCursor: (page: number) => string): McpPort {
  let page = 0;
  return {
    async list() {
      page++;
      const tools = [{ name: `t${page}`, inputSchema: { type: "object" } }];
      return { tools, nextCursor: nextCursor(page) };
    },
    call: async () => ({ content: [] }),
  };
}

describe("a server that cannot be reached", () => {
  it("is named with what to check, and the others still work", async () => {
    const bank = await createTestServer({ a: {} });
    const client = new Client(INFO);
    await client.connect(new StreamableHTTPClientTransport(NOBODY)).catch(() => {});
    const host = await createHost({ servers: { bank: bank.client, mail: client } });
    expect(host.problems).toEqual([
      expect.objectContaining({
        server: "mail",
        code: "list-failed",
        message: expect.stringMatching(/server "mail".*Check that the server is running/),
      }),
    ]);
    await host.call({ tool: "a" });
    await expect(createHost({ servers: { mail: client } })).rejects.toMatchObject({
      code: "server-unavailable",
    });
  });
});

describe("a server process that dies in the middle of a call", () => {
  it("ends that call at once, and leaves the other servers alone", async () => {
    const bank = await createTestServer({ a: {} });
    const dying = await startDyingServer();
    const host = await createHost({ servers: { bank: bank.client, dying } });
    expect((await host.call({ tool: "live" })).result.content[0]?.text).toBe("alive");
    const chain = await host.run({ tool: "die" });
    expect(chain).toMatchObject({ ended: "failed", error: { code: "outcome-unknown" } });
    expect(chain.error?.message).toMatch(/dying.die.*outcome is unknown.*not repeated/);
    const { error } = await host.run({ tool: "live" });
    expect(error?.code).toBe("server-unavailable");
    expect(error?.message).toMatch(/nothing was sent.*Check that it is running/);
    await host.call({ tool: "a" });
    expect(bank.calls).toEqual(["a"]);
  });

  it("keeps its tools through a refresh, and says that it does not answer", async () => {
    const dying = await startDyingServer();
    const host = await createHost({ servers: { dying } });
    await host.run({ tool: "die" });
    await host.refresh();
    expect(host.tools.map(({ name }) => name)).toEqual(["die", "live"]);
    expect(host.problems[0]?.code).toBe("list-failed");
  });
});

describe("a tools/list without end", () => {
  it("is cut off after 64 pages, and what was read is used", async () => {
    const host = await createHost({ servers: { bank: endlessPort((page) => `${page}`) } });
    expect(host.tools).toHaveLength(64);
    expect(host.problems[0]).toMatchObject({
      code: "list-too-large",
      message: expect.stringContaining("more than 64 pages"),
    });
  });

  it("is cut off at a repeated cursor", async () => {
    const host = await createHost({ servers: { bank: endlessPort(() => "again") } });
    expect(host.tools).toHaveLength(2);
    expect(host.problems[0]?.code).toBe("list-too-large");
  });
});

describe("two tools of one name on a server", () => {
  it("are both left out: nobody can say which one is meant", async () => {
    const tool = (description: string) => ({
      name: "pay",
      description,
      inputSchema: { type: "object" },
    });
    const tools = [tool("good"), { ...tool("other"), name: "other" }, tool("bad")];
    const bank = { ...endlessPort(() => ""), list: async () => ({ tools }) };
    const host = await createHost({ servers: { bank } });
    expect(host.tools.map(({ name }) => name)).toEqual(["other"]);
    expect(host.problems[0]).toMatchObject({ code: "duplicate-name", tool: "pay" });
    await expect(host.call({ tool: "pay" })).rejects.toMatchObject({ code: "quarantined-tool" });
  });
});

describe("a tool that does not exist", () => {
  it("is an error that lists the known tools, whether a model calls it or a result names it", async () => {
    const bank = await createTestServer({ a: { answer: () => asking("nowhere") }, b: {} });
    const host = await createHost({ servers: { bank: bank.client } });
    const call = host.call({ tool: "nowhere" }, { origin: { by: "model" } });
    await expect(call).rejects.toMatchObject({
      code: "unknown-tool",
      message: expect.stringContaining("Known tools: bank.a, bank.b"),
    });
    const chain = await host.run({ tool: "a" });
    expect(chain).toMatchObject({ ended: "unknown-tool" });
    expect(chain.error?.message).toMatch(/asks for "nowhere", which its server does not list/);
    expect(bank.calls).toEqual(["a"]);
  });
});
