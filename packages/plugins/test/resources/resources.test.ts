import { InMemoryTransport } from "@modelcontextprotocol/sdk/inMemory.js";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import {
  CallToolRequestSchema,
  ListResourcesRequestSchema,
  ListToolsRequestSchema,
  ReadResourceRequestSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { createHost, type HostEvent, type HostOptions } from "@toolrail/core";
import { offeredTools } from "@toolrail/core/adapter";
import { readResource, resources } from "@toolrail/plugins/resources";
import { describe, expect, it } from "vitest";
import { clientLibraries } from "../../../core/test/clients.ts";
import { createTestServer } from "../../../core/test/servers.ts";
import { callResources } from "../../src/resources/resource-tool.ts";

const LISTED = "docs://guide";
const LINKED = "docs://hit/1";
const FOR_USER = "docs://receipt";
const SECRET = "file:///etc/passwd";
const INPUT = { type: "object" } as const;

const link = (uri: string, more: object = {}) => ({
  type: "resource_link",
  uri,
  name: uri,
  ...more,
});
const MODEL = { origin: { by: "model" }, conversation: "chat-1" } as const;

/** A server whose resources are texts that say their URI, in two pages of a list. */
async function serveDocs(tools: readonly string[] = ["search"]) {
  const server = new Server(
    { name: "docs", version: "1" },
    { capabilities: { tools: {}, resources: {} } },
  );
  const read: string[] = [];
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: tools.map((name) => ({ name, inputSchema: INPUT })),
  }));
  server.setRequestHandler(CallToolRequestSchema, ({ params }) => {
    const next = params.arguments?.next;
    const hidden = link(FOR_USER, { annotations: { audience: ["user"] } });
    const nextTool = { tool: "resources/read", arguments: { uri: next } };
    return {
      content: [link(LINKED), hidden],
      ...(next !== undefined && { _meta: { nextTool } }),
    } as never;
  });
  server.setRequestHandler(ListResourcesRequestSchema, ({ params }) =>
    params?.cursor === "2"
      ? { resources: [{ uri: LISTED, name: "Guide" }] }
      : { resources: [{ uri: "docs://first", name: "First" }], nextCursor: "2" },
  );
  server.setRequestHandler(ReadResourceRequestSchema, ({ params: { uri } }) => {
    read.push(uri);
    return { contents: [{ uri, text: `This is ${uri}.`, _meta: { ui: {} } }] };
  });
  const [transport, serverSide] = InMemoryTransport.createLinkedPair();
  await server.connect(serverSide);
  return { transport, read };
}

async function openHost(options: Partial<HostOptions> = {}) {
  const { transport, read } = await serveDocs();
  const events: HostEvent[] = [];
  const host = await createHost({
    servers: { docs: () => clientLibraries[0]?.connect(transport) as never },
    onEvent: (event) => events.push(event),
    use: [resources([])],
    ...options,
  });
  const readAs = (uri?: string, more: object = {}) =>
    host.call(
      { tool: "docs.resources/read", arguments: uri === undefined ? {} : { uri } },
      { ...MODEL, ...more },
    );
  return { host, read, events, readAs };
}

describe("readResource", () => {
  it.each(clientLibraries)("reads and lists with the client of $name", async ({ connect }) => {
    const { transport } = await serveDocs();
    const host = await createHost({
      servers: { docs: () => connect(transport) },
      use: [resources([])],
    });
    const { result } = await readResource(host, { server: "docs", uri: SECRET });
    const resource = { uri: SECRET, text: `This is ${SECRET}.`, _meta: { ui: {} } };
    expect(result.content).toEqual([{ type: "resource", resource }]);
    const list = await readResource(host, { server: "docs" });
    expect(list.result.content.map(({ type, uri }) => [type, uri])).toEqual([
      ["resource_link", "docs://first"],
      ["resource_link", LISTED],
    ]);
  });

  it("passes all stages: allow, authorize, limits and events", async () => {
    const elsewhere = await openHost({ allow: ["docs.search"] });
    const asked = { server: "docs", uri: LISTED };
    await expect(readResource(elsewhere.host, asked)).rejects.toMatchObject({
      code: "not-allowed",
    });
    const small = await openHost({ limits: { maxResultBytes: 50 } });
    await expect(readResource(small.host, asked)).rejects.toMatchObject({
      code: "result-too-large",
    });
    const denied = await openHost({
      authorize: ({ tool, arguments: args }) => ({ deny: `${tool.id} ${args.uri}` }),
    });
    const why = /docs\.resources\/read docs:\/\/guide/;
    await expect(readResource(denied.host, asked)).rejects.toThrow(why);
    const open = await openHost();
    await readResource(open.host, asked);
    expect(open.events).toContainEqual(
      expect.objectContaining({ tool: "docs.resources/read", stage: "record", outcome: "ok" }),
    );
  });

  it("says that a server has no resources", async () => {
    const { client } = await createTestServer({ a: {} });
    const port = { list: async () => ({ tools: [] }), call: async () => ({ content: [] }) };
    const host = await createHost({ servers: { bank: client, own: port }, use: [resources()] });
    for (const server of ["bank", "own"]) {
      const reading = readResource(host, { server, uri: LISTED });
      await expect(reading).rejects.toMatchObject({ code: "protocol", data: { code: -32601 } });
    }
    await expect(readResource(host, { server: "x" })).rejects.toMatchObject({
      code: "unknown-tool",
    });
  });
});

describe("a host without the plugin", () => {
  it("has no such tool, and `readResource` names the plugin", async () => {
    const { host, readAs } = await openHost({ use: [] });
    await expect(readAs()).rejects.toMatchObject({ code: "unknown-tool" });
    await expect(readResource(host, { server: "docs" })).rejects.toMatchObject({
      code: "invalid-options",
      message: "readResource needs `use: [resources()]` in the options of the host.",
    });
  });

  it("lets no server have a tool of the name of the request", async () => {
    const { transport } = await serveDocs(["resources/read"]);
    const docs = () => clientLibraries[0]?.connect(transport) as never;
    const host = await createHost({ servers: { docs }, onEvent: () => {} });
    expect(host.tools).toEqual([]);
    expect(host.problems).toMatchObject([{ tool: "resources/read", code: "invalid-tool" }]);
  });
});

describe("the tool read_resource", () => {
  it("is offered only if the operator says so, for the named servers", async () => {
    const closed = await openHost();
    expect(closed.host.tools.map(({ id }) => id)).toEqual(["docs.search"]);
    await expect(closed.readAs(LISTED)).rejects.toMatchObject({ code: "not-allowed" });
    const { client } = await createTestServer({ a: {} });
    const { transport } = await serveDocs();
    const docs = () => clientLibraries[0]?.connect(transport) as never;
    const host = await createHost({ servers: { docs, bank: client }, use: [resources(["docs"])] });
    expect(offeredTools(host).map(({ modelName }) => modelName)).toEqual([
      "docs_search",
      "docs_read_resource",
      "bank_a",
    ]);
  });

  it("reads what a result has linked to, only in that conversation", async () => {
    const { host, read, readAs } = await openHost({ use: [resources()] });
    await expect(readAs(LINKED)).rejects.toMatchObject({ code: "not-allowed" });
    await host.call({ tool: "search" }, MODEL);
    expect((await readAs(LINKED)).result.content).toMatchObject([{ resource: { uri: LINKED } }]);
    for (const conversation of ["chat-2", undefined]) {
      await expect(readAs(LINKED, { conversation })).rejects.toMatchObject({ code: "not-allowed" });
    }
    expect(read).toEqual([LINKED]);
  });

  it("reads nothing without a conversation, and its id cannot be empty", async () => {
    const { host, read, readAs } = await openHost({ use: [resources()] });
    const conversation = undefined;
    await host.call({ tool: "search" }, { ...MODEL, conversation });
    await expect(readAs(LINKED, { conversation })).rejects.toThrow(/states no conversation/);
    await expect(readAs(LINKED, { conversation: "" })).rejects.toThrow(/text that is not empty/);
    expect(read).toEqual([]);
  });

  it("ends a list whose pages are empty and never end", async () => {
    let pages = 0;
    const request = async () => ({ resources: [], nextCursor: `${++pages}` });
    const asked = { request: { arguments: {} }, options: {} } as never;
    expect(await callResources({ request } as never, asked)).toEqual({ content: [] });
    expect(pages).toBe(16);
  });

  it("keeps no link of more than 2,048 characters", async () => {
    const [short, long] = [2_048, 2_049].map((length) => "docs://".padEnd(length, "a"));
    const { client } = await createTestServer({
      search: { answer: () => ({ content: [link(short ?? ""), link(long ?? "")] }) },
    });
    const host = await createHost({ servers: { docs: client }, use: [resources()] });
    await host.call({ tool: "search" }, MODEL);
    const read = (uri?: string) =>
      readResource(host, { server: "docs", ...(uri && { uri }), ...MODEL });
    await expect(read(short)).rejects.toMatchObject({ code: "protocol" });
    await expect(read(long)).rejects.toMatchObject({ code: "not-allowed" });
  });

  it("reads what a list has offered", async () => {
    const { readAs } = await openHost({ use: [resources()] });
    await expect(readAs(LISTED)).rejects.toThrow(/without `uri` to list/);
    expect((await readAs()).result.content).toHaveLength(2);
    expect((await readAs(LISTED)).result.content).toHaveLength(1);
  });

  it("reads nothing that was never offered, nor what was linked for the user alone", async () => {
    const { host, read, readAs } = await openHost({ use: [resources()] });
    await host.call({ tool: "search" }, MODEL);
    for (const uri of [SECRET, FOR_USER, `${LINKED}/../../secret`]) {
      await expect(readAs(uri)).rejects.toMatchObject({ code: "not-allowed" });
    }
    const pipe = { by: "pipe", pipeId: "1", path: "a", author: "model" } as const;
    await expect(readAs(SECRET, { origin: pipe })).rejects.toMatchObject({ code: "not-allowed" });
    expect(read).toEqual([]);
  });

  it("lets a server lead to a resource only through its own link", async () => {
    const { host, read } = await openHost({ use: [resources()] });
    const run = (next: string) => host.run({ tool: "search", arguments: { next } }, MODEL);
    expect(await run(SECRET)).toMatchObject({ ended: "denied", error: { code: "not-allowed" } });
    expect(await run(LINKED)).toMatchObject({ ended: "complete" });
    expect(read).toEqual([LINKED]);
    const closed = await openHost();
    const chain = await closed.host.run({ tool: "search", arguments: { next: LINKED } });
    expect(chain.ended).toBe("unknown-tool");
  });

  it("keeps a server's own tools of that name apart", async () => {
    const { transport } = await serveDocs(["read_resource", "resources/read"]);
    const docs = () => clientLibraries[0]?.connect(transport) as never;
    const host = await createHost({ servers: { docs }, use: [resources()] });
    expect(host.tools.map(({ id, modelName }) => [id, modelName])).toEqual([
      ["docs.read_resource", "read_resource"],
      ["docs.resources/read", expect.stringMatching(/^resources_read_[0-9a-f]{20}$/)],
    ]);
    expect(host.problems).toMatchObject([{ tool: "resources/read", code: "invalid-tool" }]);
  });
});
