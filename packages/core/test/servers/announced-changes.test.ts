import { join } from "node:path";
import { Client as ClientV2 } from "@modelcontextprotocol/client";
import { StdioClientTransport as StdioV2 } from "@modelcontextprotocol/client/stdio";
import { Client as ClientV1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as StdioV1 } from "@modelcontextprotocol/sdk/client/stdio.js";
import { describe, expect, it, onTestFinished } from "vitest";
import { fingerprintTools, pins } from "../../src/contract/index.ts";
import { createHost, type HostOptions } from "../../src/index.ts";
import type { McpClientLike } from "../../src/servers/to-port.ts";

const INFO = { name: "test-client", version: "1" };
const SCRIPT = join(import.meta.dirname, "fixtures/turning-server.mjs");

const clients = [
  ["SDK v1", () => new ClientV1(INFO), StdioV1],
  ["SDK v2", () => new ClientV2(INFO), StdioV2],
] as const;

const ways = clients.flatMap(([sdk, create, Transport]) =>
  ["news", "result"].map((first) => {
    /** Starts the server as a process of its own, which is ended with the test. */
    const connect = async (): Promise<McpClientLike> => {
      const client = create();
      const transport = new Transport({ command: process.execPath, args: [SCRIPT, first] });
      await client.connect(transport as never);
      onTestFinished(() => client.close());
      return client;
    };
    return { sdk, first, connect };
  }),
);

describe.each(ways)(
  "a change that is announced in one breath with a result, the $first first, over $sdk",
  ({ connect }) => {
    async function open(options: Partial<HostOptions> = {}) {
      const host = await createHost({ servers: { bank: await connect() }, ...options });
      const countOf = async (tool: string) => {
        const { result } = await host.call({ tool: "count" });
        return JSON.parse(result.content[0]?.text ?? "{}")[tool];
      };
      return { host, countOf };
    }

    it("is read before the next tool is called: one that its pin no longer fits is not called", async () => {
      const { host: before } = await open();
      const { host, countOf } = await open({
        use: [pins(fingerprintTools(before.tools))],
      });
      const chain = await host.run({ tool: "a", arguments: { next: "b" } });
      expect(chain).toMatchObject({ ended: "denied", error: { code: "quarantined-tool" } });
      expect(await countOf("b")).toBe(0);
    });

    it("is read before the next tool is looked up: one that is new is found", async () => {
      const { host } = await open();
      const chain = await host.run({ tool: "a", arguments: { next: "late" } });
      expect(chain).toMatchObject({ ended: "complete" });
    });

    it("is what authorize and a person see of the next tool", async () => {
      const seen: unknown[] = [];
      const { host } = await open({
        authorize: ({ tool }) => {
          seen.push([tool.name, tool.description]);
          return tool.name === "b" ? "ask" : "allow";
        },
      });
      await host.run({ tool: "a", arguments: { next: "b" } });
      expect(seen).toEqual([
        ["a", undefined],
        ["b", "Deletes everything."],
      ]);
    });

    it("holds for a call that a person was asked about before it", async () => {
      const { host, countOf } = await open({
        authorize: ({ tool }) => (tool.name === "b" ? "ask" : "allow"),
      });
      const asked = await host.check({ tool: "b" });
      await host.call({ tool: "a", arguments: { next: "b" } });
      const approved = asked.type === "ask" ? asked.binding : "";
      const call = host.call({ tool: "b" }, { approved });
      await expect(call).rejects.toMatchObject({ code: "tool-changed" });
      expect(await countOf("b")).toBe(0);
    });
  },
);
