// Further rows of docs/figures.md: two servers, results without end, instructions, and a gateway.
import { createMCPClient } from "@ai-sdk/mcp";
import { loadMcpTools } from "@langchain/mcp-adapters";
import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { createTools as createAiTools } from "@toolrail/ai-sdk";
import { createHost, modelView } from "@toolrail/core";
import type { ToolSet } from "ai";
import { describe, expect, it } from "vitest";
import {
  asking,
  createTestServer,
  serveTools,
  type TestTool,
} from "../../packages/core/test/servers.ts";

const text = (words: string, extra: object = {}) => ({ type: "text", text: words, ...extra });
const aiTools = async (tools: Record<string, TestTool>): Promise<ToolSet> => {
  const { transport } = await serveTools(tools);
  return (await createMCPClient({ transport })).tools();
};

describe("two servers that list a tool of the same name", () => {
  it("Plain adapters give one name twice, or one tool alone; Toolrail names both.", async () => {
    const [a, b] = [await createTestServer({ send: {} }), await createTestServer({ send: {} })];
    const loaded = [...(await loadMcpTools("a", a.client)), ...(await loadMcpTools("b", b.client))];
    expect(loaded.map(({ name }) => name)).toEqual(["send", "send"]);
    const merged = { ...(await aiTools({ send: {} })), ...(await aiTools({ send: {} })) };
    expect(Object.keys(merged)).toEqual(["send"]);
    const host = await createHost({ servers: { a: a.client, b: b.client } });
    expect(Object.keys(createAiTools(host)).toSorted()).toEqual(["a_send", "b_send"]);
  });
});

describe("a result of five million characters", () => {
  const tools = { page: { answer: () => ({ content: [text("x".repeat(5_000_000))] }) } };

  it("Plain adapters hand it to the model; Toolrail ends the call if the limit is lower.", async () => {
    const { client } = await createTestServer(tools);
    const [loaded] = await loadMcpTools("web", client);
    const message = await loaded?.invoke({ type: "tool_call", id: "1", name: "page", args: {} });
    expect(JSON.stringify(message).length).toBeGreaterThan(5_000_000);
    const { page } = await aiTools(tools);
    const output = await page?.execute?.({}, { toolCallId: "1", messages: [] } as never);
    expect(JSON.stringify(output).length).toBeGreaterThan(5_000_000);
    const limits = { maxResultBytes: 1_000_000 };
    const host = await createHost({ servers: { web: client }, limits });
    await expect(host.call({ tool: "page" })).rejects.toThrow("its result was dropped");
  });
});

describe("instructions of a server", () => {
  it("The LangChain adapter does not read them; the other two do.", async () => {
    const instructions = "Use send for letters.";
    const { client } = await createTestServer({ send: {} }, { instructions });
    const [loaded] = await loadMcpTools("post", client);
    expect(JSON.stringify(loaded?.description)).not.toContain(instructions);
    const { transport } = await serveTools({ send: {} }, { instructions });
    expect((await createMCPClient({ transport })).instructions).toBe(instructions);
    const host = await createHost({ servers: { post: client } });
    expect(host.instructions).toEqual({ post: instructions });
  });
});

describe("a gateway between the host and a server", () => {
  /** A gateway that passes everything on, and sees what any gateway sees. */
  async function openGateway(behind: Client, tools: Record<string, TestTool>) {
    const passed = Object.keys(tools).map((name) => [
      name,
      {
        answer: async ({ arguments: args }: { readonly arguments: Record<string, unknown> }) =>
          behind.callTool({ name, arguments: args }),
      } satisfies TestTool,
    ]);
    return createTestServer(Object.fromEntries(passed));
  }
  const TOOLS: Record<string, TestTool> = {
    read: {
      answer: () => ({
        ...asking("close", { id: "A-10042" }, "Close A-10042."),
      }),
    },
    close: {
      answer: () => ({ content: [text("Dear you", { annotations: { audience: ["user"] } })] }),
    },
  };

  it("Chains, audiences and approvals work behind it as without it.", async () => {
    const behind = await createTestServer(TOOLS);
    const gateway = await openGateway(behind.client, TOOLS);
    const host = await createHost({
      servers: { gateway: gateway.client },
      requireApproval: ["gateway.close"],
    });
    const options = { origin: { by: "model" }, conversation: "chat" } as const;
    const paused = await host.run({ tool: "read" }, options);
    expect(paused).toMatchObject({ ended: "needs-approval", pending: { tool: "close" } });
    const chain = await host.resume(paused, "approve", options);
    expect(behind.calls).toEqual(["read", "close"]);
    expect(JSON.stringify(modelView(chain))).not.toContain("Dear you");
  });

  it("A gateway sees the tool and its arguments, but not who asked.", async () => {
    const behind = await createTestServer(TOOLS);
    const gateway = await openGateway(behind.client, TOOLS);
    const host = await createHost({ servers: { gateway: gateway.client } });
    const options = { conversation: "chat" } as const;
    await host.call({ tool: "close", arguments: { id: "1" } }, options);
    await host.call(
      { tool: "close", arguments: { id: "1" } },
      { ...options, origin: { by: "model" } },
    );
    const seen = gateway.seen.map(({ name, arguments: args, _meta: { ...meta } = {} }) => {
      const { progressToken: _, "toolrail/idempotencyKey": __, ...rest } = meta;
      return { name, args, rest };
    });
    expect(seen[0]).toEqual(seen[1]);
  });
});
