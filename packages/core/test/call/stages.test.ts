import { createHost, type Plugin } from "@toolrail/core";
import { describe, expect, it } from "vitest";
import { createTestServer } from "../servers.ts";

const TEXT = {
  type: "object",
  properties: { text: { type: "string" } },
  required: ["text"],
};

/** A host whose one plugin has these members, and notes the order in which they are called. */
async function open(members: Partial<Plugin> = {}, options: object = {}) {
  const order: string[] = [];
  const note = <Value>(name: string, value: Value): Value => {
    order.push(name);
    return value;
  };
  const { client } = await createTestServer({
    echo: {
      definition: { inputSchema: TEXT, outputSchema: TEXT },
      answer: ({ arguments: args }) =>
        note("send", { content: [], structuredContent: { text: args.text } }),
    },
    later: { definition: { inputSchema: TEXT } },
  });
  const plugin: Plugin = {
    name: "notes",
    transformArguments: () => note("transform arguments", undefined),
    authorize: () => note("authorize", "allow"),
    wrapCall: (call, next) => note("wrap", next)(call),
    onHop: () => note("record", undefined),
    nextCall: () => note("next call", undefined),
    ...members,
  };
  const host = await createHost({ servers: { shop: client }, use: [plugin], ...options });
  const call = (text: unknown = "hello", tool = "shop.echo") =>
    host.run({ tool, arguments: { text } as never }, { origin: { by: "model" } });
  return { host, order, call };
}

describe("the stages of a call", () => {
  it("come in one order", async () => {
    const { order, call } = await open();
    expect((await call()).ended).toBe("complete");
    expect(order).toEqual([
      "transform arguments",
      "authorize",
      "wrap",
      "send",
      "record",
      "next call",
    ]);
  });

  it("end before the call where host.check does", async () => {
    const { host, order } = await open();
    await host.check({ tool: "shop.echo", arguments: { text: "hello" } });
    expect(order).toEqual(["transform arguments", "authorize"]);
  });

  it("find the tool before they allow it", async () => {
    const { call } = await open({}, { allow: ["shop.echo"] });
    expect((await call("hello", "shop.none")).error?.code).toBe("unknown-tool");
    expect((await call("hello", "shop.later")).error?.code).toBe("not-allowed");
  });

  it("allow the tool before they transform its arguments", async () => {
    const { order, call } = await open({}, { allow: ["shop.echo"] });
    await call("hello", "shop.later");
    expect(order).toEqual([]);
  });

  it("transform arguments before they check them", async () => {
    const { order, call } = await open({ transformArguments: () => ({ text: "made" }) });
    expect((await call(7)).hops[0]?.arguments).toEqual({ text: "made" });
    expect(order[0]).toBe("authorize");
  });

  it("check arguments before they authorize the call", async () => {
    const { order, call } = await open();
    expect((await call(7)).ended).toBe("invalid-arguments");
    expect(order).toEqual(["transform arguments"]);
  });

  it("authorize the call before they make it", async () => {
    const { order, call } = await open({ authorize: () => ({ deny: "no" }) });
    expect((await call()).ended).toBe("denied");
    expect(order).toEqual(["transform arguments"]);
  });

  it("make a call once before any plugin runs around it", async () => {
    const rows = new Map<string, unknown>();
    const store = {
      get: (key: string) => rows.get(key),
      set: (key: string, value: unknown) => void rows.set(key, value),
      delete: (key: string) => rows.delete(key),
      claim: (key: string, value: unknown) => !rows.has(key) && Boolean(rows.set(key, value)),
    };
    const { host, order } = await open({}, { store });
    const call = { tool: "shop.echo", arguments: { text: "hello" } };
    await host.call(call, { key: "one" });
    order.splice(0);
    expect(await host.call(call, { key: "one" })).toMatchObject({ madeBefore: true });
    expect(order).not.toContain("wrap");
    expect(order).toContain("authorize");
  });

  it("run around a call before they send it", async () => {
    const kept = { content: [], structuredContent: { text: "kept" } };
    const { order, call } = await open({ wrapCall: async () => kept });
    expect((await call()).hops[0]?.output).toMatchObject({ value: { text: "kept" } });
    expect(order).not.toContain("send");
  });

  it("replace a result before they check it", async () => {
    const hide: Plugin["wrapCall"] = async (made, next) => ({
      ...(await next(made)),
      structuredContent: {},
    });
    const { call } = await open({ wrapCall: hide });
    expect((await call()).ended).toBe("invalid-output");
  });

  it("check a result before they record it", async () => {
    let status: string | undefined;
    const { call } = await open({
      onHop: ({ hop }) => {
        status = hop.output.status;
      },
    });
    await call();
    expect(status).toBe("valid");
  });

  it("record a call before they decide what follows", async () => {
    const { order, call } = await open();
    await call();
    expect(order.indexOf("record")).toBeLessThan(order.indexOf("next call"));
  });
});
