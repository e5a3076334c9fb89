import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { createMcpHandler, Server } from "@modelcontextprotocol/server";
import { expect, it, onTestFinished } from "vitest";
import { createHost, modelView } from "../../src/index.ts";

const TRACE = {
  traceparent: "00-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-01",
  tracestate: "vendor=1",
  baggage: "tenant=north",
};

/** A server of SDK v2 in the revision 2026-07-28, which knows no sessions, and a host over its client. */
async function open() {
  const asked: unknown[] = [];
  const traces: unknown[] = [];
  const handler = createMcpHandler(() => {
    const server = new Server({ name: "m", version: "1" }, { capabilities: { tools: {} } });
    const tools = ["a", "b"].map((name) => ({ name, inputSchema: { type: "object" as const } }));
    server.setRequestHandler("tools/list", ({ params }) => {
      traces.push(params?._meta);
      return { tools };
    });
    server.setRequestHandler("tools/call", ({ params }) => {
      traces.push(params._meta);
      asked.push(params._meta?.["com.example/customer"]);
      const content = [{ type: "text" as const, text: params.name }];
      return params.name === "a"
        ? { content, _meta: { nextTool: { tool: "b" } } }
        : { content: [], structuredContent: [1, 2] };
    });
    return server;
  });
  const transport = new StreamableHTTPClientTransport(new URL("http://bank.invalid/mcp"), {
    fetch: (url, init) => handler.fetch(new Request(url, init)),
  });
  const client = new Client(
    { name: "test-client", version: "1" },
    { versionNegotiation: { mode: { pin: "2026-07-28" } } },
  );
  await client.connect(transport);
  const requestMeta = () => ({ "com.example/customer": "c1", ...TRACE });
  const host = await createHost({
    servers: { bank: client },
    use: [{ name: "request", requestMeta }],
  });
  onTestFinished(() => host.close());
  return { host, asked, traces };
}

it("a chain runs over the revision 2026-07-28, with any JSON as structured content", async () => {
  const { host, asked } = await open();
  const chain = await host.run({ tool: "a" });
  expect(chain).toMatchObject({ ended: "complete", hops: [{ tool: "a" }, { tool: "b" }] });
  const read = modelView(chain).content.map(({ text }) => text);
  expect(read).toEqual(["bank.a:", "a", "Then bank.b was called:", "[1,2]"]);
  expect(asked).toEqual(["c1", "c1"]);
});

it("the trace context of the application goes with lists and calls alike", async () => {
  const { host, traces } = await open();
  await host.call({ tool: "b" });
  expect(traces).toEqual([expect.objectContaining(TRACE), expect.objectContaining(TRACE)]);
});
