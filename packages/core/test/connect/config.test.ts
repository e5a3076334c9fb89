import { describe, expect, it, onTestFinished, vi } from "vitest";
import { fromConfig, parseConfig, type ServersConfig } from "../../src/connect/index.ts";
import { createHost } from "../../src/index.ts";
import { createWebServer } from "./web-server.ts";

const env = { TOKEN: "abc", EMPTY: "" };
const read = (entry: object) => parseConfig({ mcpServers: { shop: entry } }, { env })[0];

describe("a configuration of servers", () => {
  it("Makes servers that a host connects.", async () => {
    const server = createWebServer({ buy: () => "bought" });
    vi.stubGlobal("fetch", server.fetch);
    onTestFinished(() => void vi.unstubAllGlobals());
    const headers = { Authorization: "Bearer ${TOKEN}" };
    const config = {
      mcpServers: { shop: { type: "http", url: "https://shop.example/mcp", headers } },
    };
    const host = await createHost({ servers: fromConfig(config, { env }) });
    await host.call({ tool: "shop.buy" });
    await host.close();
    expect(server.seen[0]?.headers.get("authorization")).toBe("Bearer abc");
  });

  it("Holds programs with their arguments, environment and folder, and addresses with their headers.", () => {
    const npx = { command: "npx", args: ["-y", "a"], env: { KEY: "1" }, cwd: "/tmp" };
    expect(read({ ...npx, type: "stdio" })).toEqual({ name: "shop", ...npx });
    expect(read({ command: "a" })).toEqual({ name: "shop", command: "a", args: [], env: {} });
    const headers = { "X-Tenant": "north" };
    expect(read({ url: "https://a/", headers })).toEqual({
      name: "shop",
      url: "https://a/",
      headers,
    });
    for (const type of ["http", "streamable-http", "streamableHttp", "sse"]) {
      expect(read({ type, url: "https://a/" })).toMatchObject({ url: "https://a/", headers: {} });
    }
  });

  it("May name its servers `servers`, as VS Code does, and leaves out those that are disabled.", () => {
    const servers = { a: { command: "x" }, b: { command: "y", disabled: true } };
    const config = { servers, inputs: [] };
    expect(parseConfig(config).map(({ name }) => name)).toEqual(["a"]);
    expect(Object.keys(fromConfig({ mcpServers: servers }))).toEqual(["a"]);
  });

  it("Fills in variables of the environment in every text, as other clients do.", () => {
    const headers = {
      a: "Bearer ${TOKEN}",
      b: "${env:TOKEN}",
      c: "${NONE:-x}/${TOKEN:-y}${EMPTY}",
    };
    expect(read({ url: "https://${HOST:-shop.example}/mcp", headers })).toEqual({
      name: "shop",
      url: "https://shop.example/mcp",
      headers: { a: "Bearer abc", b: "abc", c: "x/abc" },
    });
    const args = ["$TOKEN", "${1}", "${TOKEN}"];
    expect(read({ command: "${TOKEN}", args })).toMatchObject({
      command: "abc",
      args: ["$TOKEN", "${1}", "abc"],
    });
  });

  it("Reads the variables of this process by default.", () => {
    vi.stubEnv("TOOLRAIL_TEST", "set");
    onTestFinished(() => void vi.unstubAllEnvs());
    const config = { mcpServers: { a: { command: "${TOOLRAIL_TEST}" } } };
    expect(parseConfig(config)).toMatchObject([{ command: "set" }]);
  });

  it.each<[string, unknown, RegExp]>([
    ["nothing", undefined, /must be an object \{ "mcpServers"/],
    ["the text of a file", '{"mcpServers":{}}', /with JSON\.parse/],
    ["servers without the object around them", { a: { command: "b" } }, /"mcpServers"/],
    ["a server that is a text", { mcpServers: { a: "npx" } }, /mcpServers\.a must be an object/],
    [
      "a server of VS Code that is a text",
      { servers: { a: "npx" } },
      /servers\.a must be an object/,
    ],
    ["neither command nor url", of({}), /mcpServers\.a\.command is missing/],
    ["both", of({ url: "https://x", command: "y" }), /mcpServers\.a has the unknown key "command"/],
    [
      "an unknown type",
      of({ type: "htp", url: "https://b" }),
      /mcpServers\.a\.type must be .*"http"/,
    ],
    [
      "an unknown name",
      of({ commnad: "b" }),
      /mcpServers\.a has the unknown key "commnad"\. Did you mean "command"/,
    ],
    [
      "the name of another client",
      of({ serverUrl: "b" }),
      /mcpServers\.a has the unknown key "serverUrl"\. Use one of type, /,
    ],
    [
      "headers of a program",
      of({ command: "b", headers: {} }),
      /mcpServers\.a has the unknown key "headers"/,
    ],
    [
      "the environment of an address",
      of({ url: "https://b", env: {} }),
      /mcpServers\.a has the unknown key "env"/,
    ],
    ["args of numbers", of({ command: "b", args: [1] }), /mcpServers\.a\.args\[0\] must be a text/],
    ["args in one text", of({ command: "b", args: "c" }), /mcpServers\.a\.args must be a list/],
    [
      "an env that is a list",
      of({ command: "b", env: ["K=1"] }),
      /mcpServers\.a\.env must be an object/,
    ],
    ["a type without its url", of({ type: "http" }), /mcpServers\.a\.url is missing/],
    [
      "an unset variable",
      of({ command: "b", env: { K: "${NONE}" } }),
      /mcpServers\.a\.env\.K names .*NONE, which is not set/,
    ],
    [
      "an inherited variable",
      of({ command: "${constructor}" }),
      /mcpServers\.a\.command names .*constructor, which is not set/,
    ],
    ["an address that is none", of({ url: "b" }), /mcpServers\.a\.url: "b" is not an http/],
    [
      "a switch that is a text",
      of({ command: "b", disabled: "true" }),
      /mcpServers\.a\.disabled must be true or/,
    ],
    [
      "an address of a program",
      of({ type: "stdio", url: "https://b" }),
      /mcpServers\.a has the unknown key "url"/,
    ],
    ["a value to be asked for", of({ url: "${input:url}" }), /a\.url contains \$\{input:url\}/],
  ])("Is refused with the place if it holds %s.", (_, config, message) => {
    const parse = () => parseConfig(config as ServersConfig, { env });
    expect(parse).toThrow(expect.objectContaining({ code: "invalid-options" }));
    expect(parse).toThrow(message);
  });
});

function of(a: object): ServersConfig {
  return { mcpServers: { a } };
}
