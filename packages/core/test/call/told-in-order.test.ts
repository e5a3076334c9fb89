import { describe, expect, it } from "vitest";
import { createHost, type McpPort } from "../../src/index.ts";

const OPEN = { type: "object" };
const later = () => new Promise((resolve) => setTimeout(resolve, 1));

describe("the host's onHop", () => {
  it("is awaited before the next call is made, and before the run continues", async () => {
    const order: string[] = [];
    const port: McpPort = {
      list: async () => ({
        tools: [
          { name: "a", inputSchema: OPEN },
          { name: "b", inputSchema: OPEN },
        ],
      }),
      call: async ({ name }) => {
        order.push(`call ${name}`);
        return { content: [], _meta: name === "a" ? { nextTool: { tool: "b" } } : {} };
      },
    };
    const host = await createHost({
      servers: { own: port },
      use: [
        {
          name: "listener",
          async onHop({ hop: { tool } }) {
            await later();
            order.push(`shown ${tool}`);
          },
        },
      ],
    });
    await host.run({ tool: "a" });
    expect(order).toEqual(["call a", "shown a", "call b", "shown b"]);
  });

  it("that never ends does not keep an aborted run, nor lose the call that was made", async () => {
    const port: McpPort = {
      list: async () => ({ tools: [{ name: "a", inputSchema: OPEN }] }),
      call: async () => ({ content: [] }),
    };
    const aborter = new AbortController();
    const host = await createHost({
      servers: { own: port },
      use: [
        {
          name: "listener",
          onHop: () => {
            aborter.abort();
            return new Promise<void>(() => {});
          },
        },
      ],
    });
    const chain = await host.run({ tool: "a" }, { signal: aborter.signal });
    expect(chain.hops).toHaveLength(1);
  });
});
