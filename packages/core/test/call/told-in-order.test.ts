import type { JsonObject } from "@toolrail/core/json";
import { describe, expect, it } from "vitest";
import { createHost, type McpPort } from "../../src/index.ts";

const OPEN = { type: "object" };
const later = () => new Promise((resolve) => setTimeout(resolve, 1));

/** A bank whose `enter` asks for `pay` and says that the tools of its thread have changed. */
function bankOf(threadId: unknown) {
  const lists: string[] = [];
  const sent: string[] = [];
  const tools = [{ name: "enter", inputSchema: OPEN }];
  const port: McpPort = {
    list: async () => {
      lists.push("bank");
      return { tools: [...tools] };
    },
    call: async ({ name }) => {
      sent.push(name);
      if (name !== "enter") return { content: [] };
      tools.push({ name: "pay", inputSchema: OPEN });
      return {
        content: [{ type: "text", text: "Welcome" }],
        _meta: { nextTool: { tool: "pay" }, refreshThreadCapabilities: threadId },
      };
    },
  };
  const other: McpPort = { ...port, list: async () => ({ tools: lists.push("other") && [] }) };
  return { servers: { bank: port, other }, lists, sent };
}

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

describe("a result that says that the tools of the thread have changed", () => {
  const threadOf = (id: string) => ({ "com.ibm.orchestrate/systemcontext": { thread_id: id } });

  async function enter(threadId: unknown, meta: JsonObject) {
    const { servers, lists, sent } = bankOf(threadId);
    const host = await createHost({ servers, use: [{ name: "request", requestMeta: () => meta }] });
    lists.length = 0;
    const chain = await host.run({ tool: "enter" });
    return { chain, lists, sent };
  }

  it("has the lists of all servers read again, before the next tool is looked up", async () => {
    const { chain, lists, sent } = await enter("thread-1", threadOf("thread-1"));
    expect(chain.ended).toBe("complete");
    expect(sent).toEqual(["enter", "pay"]);
    expect(lists.toSorted()).toEqual(["bank", "other"]);
  });

  it.each([
    ["of another thread", "thread-2", threadOf("thread-1")],
    ["that is no text", 7, threadOf("thread-1")],
    ["where the request named no thread", "thread-1", {}],
  ])("is not believed with a thread %s", async (_, threadId, meta) => {
    const { chain, lists } = await enter(threadId, meta);
    expect(chain.ended).toBe("unknown-tool");
    expect(lists).toEqual([]);
  });
});
