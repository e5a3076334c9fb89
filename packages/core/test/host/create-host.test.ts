import { rules } from "@toolrail/core/rules";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { engineOf } from "../../src/host/engine.ts";
import { audience, createHost, type Host, type HostOptions } from "../../src/index.ts";
import { createTestServer, type TestTool } from "../servers.ts";

const connecting = new Promise(() => {});

describe("createHost", () => {
  it("joins the tools of several servers, in their order", async () => {
    const bank = await createTestServer({ pay: {}, search: {} });
    const docs = await createTestServer({ search: {} });
    const host = await createHost({ servers: { bank: bank.client, docs: docs.client } });
    expect(host.tools.map(({ id, modelName }) => [id, modelName])).toEqual([
      ["bank.pay", "bank_pay"],
      ["bank.search", "bank_search"],
      ["docs.search", "docs_search"],
    ]);
  });

  it("says whether a call may have to wait for a person", async () => {
    const annotations = { destructiveHint: true };
    const { client } = await createTestServer({ pay: {}, wipe: { definition: { annotations } } });
    const mayAsk = async (options: Partial<HostOptions> = {}) => {
      const host = await createHost({ servers: { bank: client }, ...options });
      const engine = engineOf(host);
      return [engine.mayAsk(), ...host.tools.map((tool) => engine.mayAsk(tool))];
    };
    expect(await mayAsk()).toEqual([true, false, true]);
    expect(await mayAsk({ allow: ["bank.pay"] })).toEqual([false, false]);
    expect(await mayAsk({ authorize: () => "allow" })).toEqual([true, true, true]);
  });

  it.each([
    ["no servers", { servers: {} }, "invalid-options"],
    ["a server without a name", { servers: { "": {} } }, "invalid-options"],
    [
      "an object that is not a client",
      { servers: { bank: { callTool: () => {} } } },
      "invalid-options",
    ],
    ["a broken allowlist", { allow: null }, "invalid-options"],
    ["an empty text for an allowlist", { allow: "" }, "invalid-options"],
    ["a pattern that is not a text", { allow: [1] }, "invalid-options"],
    ["a limit of 0", { limits: { maxChainDepth: 0 } }, "invalid-options"],
    ["a rule without an end", { use: [rules([{ after: "a.*" } as never])] }, "invalid-options"],
    [
      "an audience that there is not",
      { use: [() => audience({ tools: { "bank.a": ["boss" as never] } })] },
      "invalid-options",
    ],
    [
      "an audience of nobody",
      { use: [() => audience({ tools: { "bank.a": [] } })] },
      "invalid-options",
    ],
    ["options that are none", undefined, "invalid-options"],
    ["servers that are left out", { servers: undefined }, "invalid-options"],
    ["an address in the place of a client", { servers: { bank: "http://x" } }, "invalid-options"],
    ["a client that is still connecting", { servers: { bank: connecting } }, "invalid-options"],
    ["tools to ask about that are no list", { requireApproval: { shop: true } }, "invalid-options"],
    ["an option that there is not", { athorize: () => "allow" }, "invalid-options"],
    ["limits in a Map, which has no names", { limits: new Map([["a", 1]]) }, "invalid-options"],
    ["parsers in a Map, which has no names", { schemas: new Map() }, "invalid-options"],
  ])("refuses %s, and says what to do", async (_, broken, code) => {
    const { client } = await createTestServer({ a: {} });
    const options = broken && { servers: { bank: client }, ...broken };
    const error = await createHost(options as unknown as HostOptions).catch(
      (reason: unknown) => reason,
    );
    expect(error).toMatchObject({ code, message: expect.stringMatching(/\w{3}/) });
  });

  it("refuses an inherited option of an unknown name or of another kind", async () => {
    const { client } = await createTestServer({ a: {} });
    const create = (inherited: object) =>
      createHost(Object.assign(Object.create(inherited), { servers: { bank: client } }));
    await expect(create({ requireAproval: ["bank.a"] })).rejects.toThrow('Did you mean "requireA');
    await expect(create({ requireApproval: "bank.a" })).rejects.toThrow("must be a list of texts");
  });

  it("refuses options of a server that its function returns, and names the server", async () => {
    const { client } = await createTestServer({ a: {} });
    const servers = { bank: async () => ({ client, prefix: true }) as never };
    await expect(createHost({ servers })).rejects.toMatchObject({
      code: "invalid-options",
      message: expect.stringContaining('"bank"'),
    });
  });

  it("names each tool by its server on request", async () => {
    const { client } = await createTestServer({ pay: {} });
    const host = await createHost({ servers: { bank: { client, prefix: true } } });
    expect(host.tools.map(({ modelName }) => modelName)).toEqual(["bank_pay"]);
    const other = {
      bank: { client, prefix: false },
      docs: (await createTestServer({ pay: {} })).client,
    };
    const both = await createHost({ servers: other });
    expect(both.tools.map(({ modelName }) => modelName)).toEqual(["bank_pay", "docs_pay"]);
  });

  it("names the nearest option for a misspelt one, and else lists all", async () => {
    const { client } = await createTestServer({ a: {} });
    const options = { servers: { bank: client }, athorize: () => "allow" };
    const near = 'createHost has no option "athorize". Did you mean "authorize"?';
    await expect(createHost(options as HostOptions)).rejects.toThrow(near);
    const other = { servers: { bank: client }, zzz: 1 };
    const all = /no option "zzz".*servers, use, allow, .*, authorize, onInputRequest/;
    await expect(createHost(other as HostOptions)).rejects.toThrow(all);
  });

  it("reports names in its options that no tool has", async () => {
    const { client } = await createTestServer({ pay: {}, bad: { definition: { inputSchema: 1 } } });
    const host = await createHost({
      servers: { bank: client },
      allow: ["pay", "bank.pay", "bank.bad", "bank.*", "*"],
      schemas: { "bank.payy": z.unknown() },
      use: [
        rules([
          { after: "bank.*", reaches: "mail.*" },
          { after: "bank.pay", next: { tool: "bank.receipt" } },
        ]),
      ],
    });
    const unmatched = host.problems.filter(({ code }) => code === "unmatched-name");
    expect(unmatched.map(({ message }) => message.split(",")[0])).toEqual([
      '`schemas` names "bank.payy"',
      '`rules[0]` names "mail.*"',
      '`rules[1]` names "bank.receipt"',
    ]);
  });

  it("uses the servers that answer, and reports the others", async () => {
    const bank = await createTestServer({ a: {} });
    const mail = await createTestServer({ send: {} });
    await mail.client.close();
    const host = await createHost({ servers: { bank: bank.client, mail: mail.client } });
    expect(host.tools.map(({ id }) => id)).toEqual(["bank.a"]);
    expect(host.problems).toEqual([
      expect.objectContaining({ server: "mail", code: "list-failed" }),
    ]);
    await expect(host.call({ tool: "mail.send" })).rejects.toMatchObject({
      code: "server-unavailable",
    });
  });

  it("rejects if no server answers", async () => {
    const mail = await createTestServer({ send: {} });
    await mail.client.close();
    await expect(createHost({ servers: { mail: mail.client } })).rejects.toMatchObject({
      code: "server-unavailable",
      message: expect.stringContaining('server "mail"'),
    });
  });

  it("treats __proto__ and constructor as names like any other", async () => {
    const { client, calls } = await createTestServer({ toString: {}, constructor: {} });
    const host = await createHost({ servers: { bank: client } });
    expect(host.tools.map(({ id }) => id)).toEqual(["bank.toString", "bank.constructor"]);
    await host.call({ tool: "constructor" });
    expect(calls).toEqual(["constructor"]);
  });
});

it("A secret that is too short to sign with is refused.", async () => {
  const { client } = await createTestServer({ a: {} });
  const opened = createHost({ servers: { bank: client }, secret: "hush" });
  await expect(opened).rejects.toMatchObject({ code: "invalid-options" });
});

describe("a host whose servers call tools destructive", () => {
  const annotations = { destructiveHint: true };
  const open = async (options: Partial<HostOptions> = {}, more: Record<string, TestTool> = {}) => {
    const about: unknown[] = [];
    const { client } = await createTestServer({
      wipe: { definition: { annotations } },
      drop: { definition: { annotations } },
      look: {},
      ...more,
    });
    await createHost({
      servers: { bank: client },
      onEvent: (event) => void ("about" in event && about.push([event.code, event.about])),
      ...options,
    });
    return about;
  };

  it("says at the start how many wait for a person and names at most five, unless an option decides", async () => {
    const named = (text: string) => [["asks-by-default", text]];
    expect(await open()).toEqual(named("2 of 3 tools (bank.wipe, bank.drop)"));
    const names = ["a", "b", "c", "x".repeat(128)];
    const more = Object.fromEntries(names.map((name) => [name, { definition: { annotations } }]));
    expect(await open({}, more)).toEqual(
      named("6 of 7 tools (bank.wipe, bank.drop, bank.a, bank.b, bank.c, …)"),
    );
    expect(await open({ authorize: () => "allow" })).toEqual([]);
    expect(await open({ requireApproval: [] })).toEqual([]);
    expect(await open({ requireApproval: ["bank.look"] })).toEqual([]);
    expect(await open({ allow: ["bank.look"] })).toEqual([]);
  });
});

describe("a host that an application wraps", () => {
  it.each([
    ["as its prototype", (host: Host) => Object.create(host) as Host],
    ["by a Proxy", (host: Host) => new Proxy(host, {})],
  ])("works %s", async (_, wrap) => {
    const { client, calls } = await createTestServer({ look: {} });
    const host = wrap(await createHost({ servers: { bank: client } }));
    expect(host.tools.map(({ id }) => id)).toEqual(["bank.look"]);
    await host.run({ tool: "look" });
    await host.call({ tool: "look" });
    expect(calls).toEqual(["look", "look"]);
    await host.close();
  });

  it("says what a function needs that was taken from it", async () => {
    const { client } = await createTestServer({ look: {} });
    const { close } = await createHost({ servers: { bank: client } });
    expect(() => close()).toThrow("This is not a host");
  });
});
