import { readFileSync } from "node:fs";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { createHost } from "@toolrail/core";
import { createValidator } from "@toolrail/json/validator";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { createTestServer } from "../../core/test/servers.ts";
import { runToolrail } from "../src/index.ts";
import { HOST_CONFIG, readHostConfig } from "../src/serve/read-host-config.ts";
import { type HttpFixture, startHttpServer } from "./fixtures/http-server.ts";
import { runHere } from "./run-here.ts";
import { writeTemporary } from "./write-temporary.ts";

let shop: HttpFixture;
beforeAll(async () => {
  shop = await startHttpServer("streamable");
});
afterAll(() => shop.close());

function hostFile(config: object): string {
  return writeTemporary("host.json", { mcpServers: { shop: { url: shop.url } }, ...config });
}

/** Serves a host over HTTP until the test is over. */
async function serve(config: object): Promise<URL> {
  const stop = new AbortController();
  const stderr = new PassThrough();
  const parts = { stdin: new PassThrough(), stdout: new PassThrough(), stderr, env: {} };
  const args = ["serve", "--config", hostFile(config), "--port", "0"];
  const ended = runToolrail(args, { ...parts, signal: stop.signal });
  onTestFinished(async () => {
    stop.abort();
    expect(await ended).toBe(0);
  });
  for await (const chunk of stderr) {
    const [url] = /http:\S+/.exec(String(chunk)) ?? [];
    if (url) return new URL(url);
  }
  throw new Error("It serves nothing.");
}

async function connect(url: URL, options = {}) {
  const client = new Client({ name: "test", version: "1" }, options);
  await client.connect(new StreamableHTTPClientTransport(url));
  onTestFinished(() => client.close());
  return client;
}

const MODERN = { versionNegotiation: { mode: { pin: "2026-07-28" } } };

describe("toolrail serve", () => {
  it.each([
    ["2025-11-25", {}],
    ["2026-07-28", MODERN],
  ])("serves the tools of a host over HTTP to a client of MCP %s", async (_, options) => {
    const client = await connect(await serve({ tools: ["shop.add"] }), options);
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(["add"]);
    const result = await client.callTool({ name: "add", arguments: { a: 1, b: 2 } });
    expect(JSON.stringify(result.content)).toContain("3");
  });

  it("asks the user of a client about the calls that the file says need an approval", async () => {
    const url = await serve({ requireApproval: ["shop.add"] });
    const client = await connect(url, { capabilities: { elicitation: { form: {} } } });
    const asked: string[] = [];
    client.setRequestHandler("elicitation/create", ({ params }) => {
      asked.push(params.message);
      return { action: "accept", content: { approve: true } };
    });
    const result = await client.callTool({ name: "add", arguments: { a: 1, b: 2 } });
    expect(asked).toEqual([
      `shop.add needs a person's approval before it is called.\nArguments: {"a":1,"b":2}`,
    ]);
    expect(JSON.stringify(result.content)).toContain("3");
  });

  it("offers mcp_pipe if the file says so, and asks the user of the client about its steps", async () => {
    const url = await serve({ pipe: true, requireApproval: ["shop.add"] });
    const client = await connect(url, { capabilities: { elicitation: { form: {} } } });
    client.setRequestHandler("elicitation/create", () => {
      return { action: "accept", content: { approve: true } };
    });
    const steps = [{ id: "sum", tool: "add", args: { a: 1, b: 2 } }];
    const spec = { steps, return: { $ref: "steps.sum.structured" } };
    const result = await client.callTool({ name: "mcp_pipe", arguments: spec });
    expect(result.structuredContent).toMatchObject({ ok: true, result: { sum: 3 } });
  });

  it("makes one guarded call if the file has a guard", async () => {
    const client = await connect(await serve({ guard: { allow: ["shop.add"] } }));
    expect((await client.listTools()).tools.map(({ name }) => name)).toEqual(["add"]);
    const _meta = { "toolrail/query": "q1" };
    const add = { name: "add", arguments: { a: 1, b: 2 }, _meta };
    const made = { "toolrail/outcome": { code: "complete" } };
    expect(await client.callTool(add)).toMatchObject({ _meta: made });
    const used = { "toolrail/outcome": { code: "step-used" } };
    expect(await client.callTool(add)).toMatchObject({ isError: true, _meta: used });
  });

  it("takes the rules, the policies and the references of one file", async () => {
    const url = await serve({
      rules: [{ after: "shop.add", next: false }],
      references: true,
      policies: { askUnlessFrom: { from: ["user"], to: { "shop.add": ["a"] } } },
    });
    const client = await connect(url);
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain("read_result");
    // Nothing was read before: without the sources of arguments that would be unknown, and a person be asked.
    const result = await client.callTool({ name: "add", arguments: { a: 1, b: 2 } });
    expect(JSON.stringify(result.content)).toContain("3");
  });

  it("serves no page of another site", async () => {
    const url = await serve({});
    const headers = { origin: "https://evil.example", "content-type": "application/json" };
    expect((await fetch(url, { method: "POST", body: "{}", headers })).status).toBe(403);
  });

  it.each([
    [{ alow: ["shop.add"] }, /no option "alow".*"allow"/],
    [{ allow: "shop.add" }, /"allow" of The file must be a list of texts/],
    [{ requireApproval: ["shop.ad"] }, /shop\.ad.*shop\.add/s],
    [{ rules: [{ after: "shop.add", nxt: false }] }, /rules\[0\]/],
    [{ policies: { askAlways: {} } }, /policies names "askAlways"/],
    [{ pipe: { limit: {} } }, /pipeTool has no option "limit".*"limits"/],
    [{ guard: { alow: [] } }, /singleStep has no option "alow".*"allow"/],
    [{ pipe: true, guard: { allow: ["shop.add"] } }, /both "pipe" and "guard"/],
    [{ mcpServers: { shop: { uri: "http://127.0.0.1" } } }, /"uri"/],
  ])("refuses the mistake %j, and names the file and the place", async (config, message) => {
    const file = hostFile(config);
    const { code, stderr } = await runHere(["serve", "--config", file, "--port", "0"]);
    expect(stderr).toMatch(message);
    expect(code).toBe(2);
  });

  it.each([{}, { requireApproval: [] }])(
    "leaves destructive tools to a person even if the file has policies by source, and %j",
    async (more) => {
      const to = { "shop.add": ["a"] };
      const policies = { askUnlessFrom: { from: ["user"], to } };
      const { options } = await readHostConfig(hostFile({ policies, ...more }), {});
      const { client } = await createTestServer({
        add: { definition: { inputSchema: { type: "object", properties: { a: {} } } } },
        wipe: { definition: { annotations: { destructiveHint: true } } },
      });
      const host = await createHost({ ...options, servers: { shop: client } });
      onTestFinished(() => host.close());
      const checked = await host.check({ tool: "shop.wipe" }, { origin: { by: "model" } });
      expect(checked).toMatchObject({
        type: "ask",
        reason: expect.stringContaining("may delete"),
      });
    },
  );

  it.each([
    ["--policy", "policies.json"],
    ["--server", "shop=node shop.js"],
    ["--max-depth", "1"],
    ["--timeout", "5"],
  ])("refuses %s, which it would not apply: the file says it", async (option, value) => {
    const file = hostFile({});
    const { code, stderr } = await runHere([
      "serve",
      "--config",
      file,
      "--port",
      "0",
      option,
      value,
    ]);
    expect(stderr).toContain(`unknown option '${option}'`);
    expect(code).toBe(2);
    expect((await runHere(["serve", "--help"])).stdout).not.toContain(option);
  });

  it("says what it needs without a file", async () => {
    const { code, stderr } = await runHere(["serve"]);
    expect(stderr).toContain("use --config FILE");
    expect(code).toBe(2);
  });
});

describe("host.schema.json", () => {
  const schema = JSON.parse(readFileSync(join(import.meta.dirname, "../host.schema.json"), "utf8"));

  it("describes every name that a file may have, and no other", () => {
    expect(Object.keys(schema.properties).toSorted()).toEqual(Object.keys(HOST_CONFIG).toSorted());
  });

  it("accepts a whole file, and refuses a misspelt name", () => {
    const validate = createValidator().getValidator(schema);
    const config = {
      mcpServers: { shop: { command: "npx", args: ["-y", "shop"] } },
      rules: [
        {
          after: "shop.add",
          when: { structured: { properties: { sum: { minimum: 3 } } } },
          next: { tool: "shop.welcome" },
        },
      ],
    };
    expect(validate(config).valid).toBe(true);
    expect(validate({ ...config, alow: [] }).valid).toBe(false);
  });
});
