import { createMCPClient } from "@ai-sdk/mcp";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { createMcpHandler, fromJsonSchema, McpServer, Server } from "@modelcontextprotocol/server";
import type { JsonObject } from "@toolrail/json";
import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";
import { createHost, type HostOptions } from "../../src/index.ts";
import { headerDefect } from "../../src/servers/header-marks.ts";
import { parameterHeaders } from "../../src/servers/parameter-headers.ts";

const URL_OF_BANK = new URL("http://bank.invalid/mcp");
const PINNED = { versionNegotiation: { mode: { pin: "2026-07-28" } } } as const;
const INFO = { name: "test-client", version: "1" };

type Handler = ReturnType<typeof createMcpHandler>;
type Fetch = (url: string | URL | Request, init?: RequestInit) => Promise<Response>;

async function connectSdk(fetch: Fetch): Promise<Client> {
  const client = new Client(INFO, PINNED);
  await client.connect(new StreamableHTTPClientTransport(URL_OF_BANK, { fetch }));
  return client;
}

const clients = [
  { name: "@modelcontextprotocol/client 2", connect: connectSdk },
  {
    name: "@ai-sdk/mcp 2",
    connect: (fetch: Fetch) =>
      createMCPClient({
        transport: { type: "http", url: URL_OF_BANK.href, fetch: fetch as never },
      }),
  },
];

const marked = (header: unknown, type: unknown = "string") => ({ type, "x-mcp-header": header });
const asks = (properties: JsonObject): JsonObject => ({ type: "object", properties });

describe.each(clients)("over $name, on MCP 2026-07-28", ({ connect }) => {
  /** A server that answers 400 where a header is missing, or says anything else than the argument. */
  async function open(inputSchema: JsonObject, options: Partial<HostOptions> = {}) {
    const seen: JsonObject[] = [];
    const handler = createMcpHandler(() => {
      const server = new McpServer({ name: "bank", version: "1" });
      server.registerTool("pay", { inputSchema: fromJsonSchema(inputSchema) }, () => ({
        content: [{ type: "text", text: "paid" }],
      }));
      return server;
    });
    const client = await connect(recording(handler, seen));
    const host = await createHost({ ...options, servers: { bank: client } });
    onTestFinished(() => host.close());
    return { host, seen };
  }

  it("a call repeats its marked arguments as headers, in whatever depth they stand", async () => {
    const place = asks({ region: marked("Region"), floor: marked("Floor", "integer") });
    const { host, seen } = await open(asks({ place, test: marked("Test", "boolean"), note: {} }));
    const place1 = { region: "Zürich ", floor: 3 };
    const hop = await host.call({
      tool: "pay",
      arguments: { place: place1, test: false, note: 1 },
    });
    expect(hop.result.content).toEqual([{ type: "text", text: "paid" }]);
    expect(seen.at(-1)).toEqual({
      "mcp-param-region": "=?base64?WsO8cmljaCA=?=",
      "mcp-param-floor": "3",
      "mcp-param-test": "false",
    });
  });

  it("an argument that is left out has no header", async () => {
    const { host, seen } = await open(asks({ region: marked("Region"), note: {} }));
    await host.call({ tool: "pay", arguments: { note: "x" } });
    expect(seen.at(-1)).toEqual({});
  });

  it("headers say what an interceptor has made of the arguments", async () => {
    const { host, seen } = await open(asks({ region: marked("Region") }), {
      use: [
        {
          name: "wrap",
          wrapCall: (call, next) => next({ ...call, arguments: { region: "north" } }),
        },
      ],
    });
    await host.call({ tool: "pay", arguments: { region: "south" } });
    expect(seen.at(-1)).toEqual({ "mcp-param-region": "north" });
  });

  it("a tool with an illegal mark is not offered, says why, and hides no other tool", async () => {
    const handler = createMcpHandler(() => {
      const server = new Server({ name: "bank", version: "1" }, { capabilities: { tools: {} } });
      const inputSchema = asks({ region: marked("My Region") });
      server.setRequestHandler("tools/list", () => ({
        tools: [
          { name: "bad", inputSchema: inputSchema as never },
          { name: "good", inputSchema: { type: "object" } },
        ],
      }));
      return server;
    });
    const host = await createHost({ servers: { bank: await connect(recording(handler, [])) } });
    onTestFinished(() => host.close());
    expect(host.tools.map(({ name }) => name)).toEqual(["good"]);
    expect(host.problems).toEqual([
      expect.objectContaining({
        tool: "bad",
        code: "invalid-schema",
        message: expect.stringContaining('x-mcp-header at "region" must be the name of an HTTP'),
      }),
    ]);
    await expect(host.call({ tool: "bad" })).rejects.toMatchObject({ code: "quarantined-tool" });
  });
});

it("a tool whose marks the server has changed fails once, and the next call knows them", async () => {
  let header = "Region";
  const seen: JsonObject[] = [];
  const handler = createMcpHandler(() => {
    const server = new McpServer({ name: "bank", version: "1" });
    const inputSchema = fromJsonSchema(asks({ region: marked(header) }));
    server.registerTool("pay", { inputSchema }, () => ({ content: [] }));
    return server;
  });
  const client = await connectSdk(recording(handler, seen));
  const host = await createHost({ servers: { bank: client } });
  onTestFinished(() => host.close());
  const request = { tool: "pay", arguments: { region: "north" } };
  await host.call(request); // The list is settled then.
  header = "Place";
  await expect(host.call(request)).rejects.toMatchObject({ data: { code: -32020 } });
  await host.call(request);
  const [before, after] = [{ "mcp-param-region": "north" }, { "mcp-param-place": "north" }];
  expect(seen).toEqual([before, before, after]);
});

it("what every object inherits is no argument", () => {
  const inherited = ["constructor", "toString", "__proto__", "hasOwnProperty"];
  const schema = asks(Object.fromEntries(inherited.map((name, at) => [name, marked(`H${at}`)])));
  const deep = asks({ constructor: asks({ name: marked("Name") }) });
  expect([parameterHeaders(schema, {}), parameterHeaders(deep, {})]).toEqual([{}, {}]);
});

describe("headerDefect", () => {
  const deep = asks({ a: asks({ b: marked("B") }) });
  it.each([
    ["no mark", asks({ a: { type: "number" } })],
    ["marks in any depth", deep],
    ["a property that is called as the keyword", asks({ "x-mcp-header": { type: "object" } })],
    ["data that look like a mark", asks({ a: { default: marked("a b"), enum: [marked(1)] } })],
  ])("accepts %s", (_, schema) => {
    expect(headerDefect(schema)).toBeUndefined();
  });

  it.each([
    ["an empty name", asks({ a: marked("") })],
    ["a name that is no text", asks({ a: marked(null) })],
    ["a name with a line break", asks({ a: marked("A\r\nX-Admin: 1") })],
    ["a name with other letters", asks({ a: marked("Région") })],
    ["a number", asks({ a: marked("A", "number") })],
    ["several types", asks({ a: marked("A", ["string", "null"]) })],
    ["no type", asks({ a: { "x-mcp-header": "A" } })],
    ["the same name twice, whatever its case", asks({ a: marked("A"), b: marked("a") })],
    ["a mark at the root", { ...asks({}), "x-mcp-header": "A" }],
    ["a mark in a list", asks({ a: { type: "array", items: marked("A") } })],
    ["a mark in a choice", asks({ a: { anyOf: [marked("A")] } })],
    [
      "a mark behind a reference",
      { ...asks({ a: { $ref: "#/$defs/a" } }), $defs: { a: marked("A") } },
    ],
    ["a mark on a condition", { ...asks({}), if: asks({ a: marked("A") }) }],
  ])("refuses %s", (_, schema) => {
    expect(headerDefect(schema)).toMatch(/^the x-mcp-header at /);
  });
});

it("headers are those that SDK v2 makes of the same call", async () => {
  const seen: JsonObject[] = [];
  const handler = createMcpHandler(
    () => new Server({ name: "bank", version: "1" }, { capabilities: { tools: {} } }),
  );
  const client = await connectSdk(recording(handler, seen));
  const value = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.constantFrom(
      "",
      " a",
      "a\t",
      "\ta",
      "=?base64?YQ==?=",
      "=?BASE64?x?=",
      "a\nb",
      "~ !",
      "\ud800",
    ),
    fc.integer(),
    fc.constantFrom(2 ** 53, -0, 1e21, null, undefined, true, false),
    fc.jsonValue().filter((json) => typeof json !== "number"), // No mark is on a number with a fraction.
  );
  await fc.assert(
    fc.asyncProperty(value, value, async (a, b) => {
      const inputSchema = asks({ a: marked("A"), b: asks({ b: marked("B", "integer") }) });
      const args = { a, b: { b } } as JsonObject;
      const toolDefinition = { name: "pay", inputSchema } as never;
      await client.callTool({ name: "pay", arguments: args }, { toolDefinition }).catch(() => {});
      const ours = Object.entries(parameterHeaders(inputSchema, args) ?? {});
      const expected = ours.map(([name, text]) => [name.toLowerCase(), text]);
      expect(Object.fromEntries(expected)).toEqual(seen.at(-1));
    }),
    { numRuns: 200 },
  );
  await client.close();
});

/** The requests of a client go to the handler; their `Mcp-Param-*` headers are kept. */
function recording(handler: Handler, seen: JsonObject[]): Fetch {
  return (url, init) => {
    const request = new Request(url, init);
    const headers = [...request.headers].filter(([name]) => name.startsWith("mcp-param-"));
    if (request.headers.get("mcp-method") === "tools/call") seen.push(Object.fromEntries(headers));
    return handler.fetch(request);
  };
}
