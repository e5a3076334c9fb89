import { rules } from "@toolrail/core/rules";
import { describe, expect, it } from "vitest";
import * as z from "zod";
import { offeredTools } from "../../src/adapter.ts";
import { pins } from "../../src/contract/index.ts";
import { createSingleStep } from "../../src/guard/index.ts";
import {
  audience,
  createHost,
  type HostEvent,
  type HostOptions,
  type McpPort,
} from "../../src/index.ts";

const MODEL = { origin: { by: "model" } } as const;
const SCHEMA = { type: "object", properties: { order: { type: "string" } } };

/** A server in this process, whose list can change. */
function serve(...tools: string[]) {
  let changed = () => {};
  const server = {
    tools,
    isDown: false,
    change(...next: string[]) {
      server.tools = next;
      changed();
    },
  };
  const port: McpPort = {
    list: async () => {
      if (server.isDown) throw new Error("down");
      return { tools: server.tools.map((name) => ({ name, inputSchema: SCHEMA })) };
    },
    call: async () => ({ content: [] }),
    watch(listener) {
      changed = listener;
      return () => {};
    },
  };
  return Object.assign(server, { port });
}

async function open(
  options: Partial<HostOptions>,
  servers: Readonly<Record<string, ReturnType<typeof serve>>> = { shop: serve("find", "refund") },
) {
  const events: HostEvent[] = [];
  const ports = Object.fromEntries(Object.entries(servers).map(([name, { port }]) => [name, port]));
  const onEvent = (event: HostEvent) => void events.push(event);
  const host = await createHost({ servers: ports, onEvent, ...options });
  const word = async (tool: string) => (await host.check({ tool }, MODEL)).type;
  const problems = () => host.problems.map(({ message }) => message);
  const told = () => events.filter(({ type }) => type === "problem").length;
  return { host, word, problems, told };
}

describe("a name that protects", () => {
  it.each<[string, Partial<HostOptions>, string]>([
    [
      "requireApproval",
      { requireApproval: ["shop.refnd"] },
      '`requireApproval` names "shop.refnd"',
    ],
    ["allow", { allow: ["shop.find", "shop.refnd"] }, '`allow` names "shop.refnd"'],
    [
      "requireApproval, without its server",
      { requireApproval: ["refnd"] },
      '`requireApproval` names "refnd"',
    ],
    [
      "requireApproval, with another server",
      { requireApproval: ["shp.refund"] },
      '`requireApproval` names "shp.refund"',
    ],
    [
      "audience",
      { use: [audience({ tools: { "shop.refnd": ["user"] } })] },
      '`audience` names "shop.refnd"',
    ],
    ["pins", { use: [pins({ "shop.refnd": z.unknown() })] }, '`pins` names "shop.refnd"'],
  ])("refuses the host if no server lists it: %s", async (_, options, says) => {
    const refused = expect(open(options)).rejects;
    await refused.toMatchObject({
      code: "invalid-options",
      message: expect.stringContaining(
        `${says}, but no server lists such a tool. Did you mean "shop.refund"?`,
      ),
    });
  });

  it("refuses the host if its pattern begins with an unknown server", async () => {
    const message =
      '`requireApproval` names "shp.*", but no server lists such a tool. Known tools: shop.find, shop.refund.';
    await expect(open({ requireApproval: ["shp.*"] })).rejects.toMatchObject({ message });
  });

  it("means the tool of that name of any server, if it is without a server", async () => {
    const { word } = await open({ requireApproval: ["refund"] });
    expect(await word("shop.refund")).toBe("ask");
    expect(await word("shop.find")).toBe("allow");
  });

  it("is judged though another server is down", async () => {
    const mail = serve("send");
    mail.isDown = true;
    const servers = { shop: serve("find", "refund"), mail };
    await expect(open({ requireApproval: ["shop.refnd"] }, servers)).rejects.toThrow(
      'Did you mean "shop.refund"?',
    );
  });

  it("is a problem while the server that may have it is down, and later if it does not list it", async () => {
    const mail = serve("send");
    mail.isDown = true;
    const servers = { shop: serve("find", "refund"), mail };
    const { host, word, problems } = await open(
      { requireApproval: ["refnd", "mail.sned"] },
      servers,
    );
    expect(problems().join()).toContain(
      '"mail.sned", but no server lists such a tool. "mail" gives no list at the moment.',
    );
    expect(await word("shop.refund")).toBe("allow");
    mail.isDown = false;
    await host.refresh("mail");
    expect(problems().join()).toContain('Did you mean "mail.send"?');
    expect(await word("mail.send")).toBe("allow");
  });

  it("does not ask about a tool of that name of another server", async () => {
    const mail = serve("send");
    mail.isDown = true;
    const servers = { shop: serve("send"), mail };
    const { word } = await open({ requireApproval: ["mail.send"] }, servers);
    expect(await word("shop.send")).toBe("allow");
  });

  it("is a problem while its server no longer lists it", async () => {
    const shop = serve("find", "refund");
    const { host, word, problems } = await open({ requireApproval: ["shop.refund"] }, { shop });
    shop.tools = ["find", "pay_back"];
    await host.refresh();
    expect(problems()).toHaveLength(1);
    expect(await word("shop.pay_back")).toBe("allow");
    shop.tools = ["find", "pay_back", "refund"];
    await host.refresh();
    expect(problems()).toEqual([]);
    expect(await word("shop.refund")).toBe("ask");
  });

  it("may be a pattern of tools that its server lists later", async () => {
    const { problems } = await open({ requireApproval: ["shop.delete_*"] });
    expect(problems()).toHaveLength(1);
  });
});

describe("a name that does not protect", () => {
  it.each<[string, Partial<HostOptions>]>([
    ["schemas", { schemas: { "shop.refnd": z.unknown() } }],
    ["rules[0]", { use: [rules([{ after: "shop.refnd", next: false }])] }],
  ])("is a problem of the host, and an event: %s", async (option, options) => {
    const { problems, told } = await open(options);
    expect(problems().map((message) => message.split(",")[0])).toEqual([
      `\`${option}\` names "shop.refnd"`,
    ]);
    expect(told()).toBe(1);
  });

  it("is refused in the filter of an adapter, and is a problem in the list of a guard", async () => {
    const { host, problems, told } = await open({});
    for (let again = 0; again < 2; again++) {
      expect(() => offeredTools(host, ["shop.refnd"])).toThrow(/Did you mean "shop.refund"/);
      createSingleStep(host, { allow: ["serch"] });
    }
    await expect.poll(told).toBe(1);
    expect(problems().map((message) => message.split(",")[0])).toEqual([
      '`guard.allow` names "serch"',
    ]);
  });

  it("means the tool of any server in `allow` and in `schemas` too", async () => {
    const schemas = { refund: z.object({ ok: z.boolean() }) };
    const { host } = await open({ allow: ["refund"], schemas });
    expect(host.tools.map(({ id }) => id)).toEqual(["shop.refund"]);
    const { output } = await host.call({ tool: "shop.refund", arguments: { order: "1" } });
    expect(output.status).toBe("invalid");
  });

  it("with a dot never means a tool of another server whose own name has one", async () => {
    const evil = serve("shop.find");
    const { host } = await open({ allow: ["shop.find"] }, { shop: serve("find", "refund"), evil });
    expect(host.tools.map(({ id }) => id)).toEqual(["shop.find"]);
  });
});
