import {
  audience,
  createHost,
  type HostEvent,
  type HostOptions,
  type McpPort,
  type Plugin,
  ToolrailError,
} from "@toolrail/core";
import { describe, expect, it } from "vitest";
import type { PluginKit } from "../../src/call/plugin.ts";
import { createTestServer } from "../servers.ts";

const TEXT = { type: "object", properties: { text: { type: "string" } } };

/** A host with a tool that repeats a text, and how often its server was called. */
async function open(use: NonNullable<HostOptions["use"]>, options: object = {}) {
  const calls: unknown[] = [];
  const { client } = await createTestServer({
    echo: {
      definition: { inputSchema: TEXT, outputSchema: TEXT },
      answer: ({ arguments: args }) => {
        calls.push(args);
        return { content: [{ type: "text", text: String(args.text) }], structuredContent: args };
      },
    },
    erase: { definition: { inputSchema: TEXT, annotations: { destructiveHint: true } } },
  });
  const host = await createHost({ servers: { shop: client }, use, ...options });
  return { host, calls, echo: { tool: "shop.echo", arguments: { text: "hello" } } };
}

const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error) => (ToolrailError.isInstance(error) ? error.code : error),
  );

describe("a plugin", () => {
  it("adds tools of its own, whose calls are checked like those of a server", async () => {
    const clock: Plugin = {
      name: "clock",
      tools: [
        {
          name: "now",
          description: "Says the time.",
          inputSchema: { type: "object", properties: { zone: { type: "string" } } },
          call: ({ zone = "UTC" }) => ({ content: [{ type: "text", text: `noon in ${zone}` }] }),
        },
      ],
    };
    const { host } = await open([clock]);
    expect(host.find("clock.now").modelName).toBe("clock_now");
    expect(host.find("shop.echo").modelName).toBe("echo");
    const hop = await host.call({ tool: "clock.now", arguments: { zone: "CET" } });
    expect(hop.result.content).toEqual([{ type: "text", text: "noon in CET" }]);
    const wrong = host.call({ tool: "clock.now", arguments: { zone: 1 } });
    expect(await codeOf(wrong)).toBe("invalid-arguments");
  });

  it("keeps a tool from being offered, also if it throws", async () => {
    const refuse: Plugin = {
      name: "refuse",
      checkTool({ name }) {
        if (name === "erase") throw new Error("a defect");
        return undefined;
      },
    };
    const { host } = await open([refuse]);
    expect(host.tools.map(({ name }) => name)).toEqual(["echo"]);
    expect(host.problems).toMatchObject([{ tool: "erase", code: "plugin-failed" }]);
  });

  it("replaces arguments before they are checked, and the hop has what was written too", async () => {
    const upper: Plugin = {
      name: "upper",
      transformArguments: ({ arguments: { text } }) => ({ text: String(text).toUpperCase() }),
    };
    const { host, calls } = await open([upper]);
    const hop = await host.call({ tool: "shop.echo", arguments: { text: 7 } });
    expect(calls).toEqual([{ text: "7" }]);
    expect(hop).toMatchObject({ arguments: { text: "7" }, written: { text: 7 } });
  });

  it("denies calls, and takes no protection away by allowing them", async () => {
    const deny: Plugin = {
      name: "deny",
      authorize: ({ arguments: { text } }) => (text === "no" ? { deny: "not today" } : "allow"),
    };
    const { host } = await open([deny]);
    const denied = host.call({ tool: "shop.echo", arguments: { text: "no" } });
    await expect(denied).rejects.toMatchObject({
      code: "denied",
      message: expect.stringMatching(/not today/),
    });
    const origin = { by: "model" } as const;
    const erase = await host.check({ tool: "shop.erase", arguments: {} }, { origin });
    expect(erase).toMatchObject({
      type: "ask",
      reason: expect.stringMatching(/delete or overwrite/),
    });
  });

  it("stands around the request, the first outermost", async () => {
    const order: string[] = [];
    const wrap = (name: string): Plugin => ({
      name,
      async wrapCall(call, next) {
        order.push(`${name} before`);
        const result = await next(call);
        order.push(`${name} after`);
        return result;
      },
    });
    const { host, echo } = await open([wrap("outer"), wrap("inner")]);
    await host.call(echo);
    expect(order).toEqual(["outer before", "inner before", "inner after", "outer after"]);
  });

  it("replaces results, which are then checked", async () => {
    const hide: Plugin = {
      name: "hide",
      wrapCall: async (call, next) => ({ ...(await next(call)), structuredContent: { text: 1 } }),
    };
    const { host, echo } = await open([hide]);
    expect((await host.call(echo)).output.status).toBe("invalid");
    const broken: Plugin = {
      name: "broken",
      wrapCall: async () => ({ content: "text" }) as never,
    };
    const other = await open([broken]);
    expect(await codeOf(other.host.call(echo))).toBe("malformed-result");
  });

  it("says which call follows, by what the server asks or in its place", async () => {
    const again: Plugin = {
      name: "again",
      nextCall: async (hop, { next }) =>
        (await next()) ??
        (hop.arguments.text === "hello"
          ? { tool: "shop.echo", arguments: { text: "again" } }
          : undefined),
    };
    const { host, echo } = await open([again]);
    const chain = await host.run(echo);
    expect(chain.hops.map((hop) => hop.arguments.text)).toEqual(["hello", "again"]);
    expect(chain.hops[1]?.origin).toMatchObject({ by: "chain", rule: "again" });
    const wrong: Plugin = { name: "wrong", nextCall: () => ({ tools: "x" }) as never };
    const failed = await (await open([wrong])).host.run(echo);
    expect(failed).toMatchObject({ ended: "malformed", error: { code: "malformed-next-tool" } });
  });

  it("makes a call that holds what is for the user alone one whose result is for the user alone", async () => {
    const forward: Plugin = {
      name: "forward",
      nextCall: (hop) =>
        hop.origin.by === "chain"
          ? undefined
          : { tool: "shop.echo", arguments: { text: "made of it" } },
    };
    const hidden = audience({ tools: { "shop.echo": ["user"] } });
    const { host, echo } = await open([forward, hidden]);
    const chain = await host.run(echo);
    expect(chain.hops[1]?.origin).toMatchObject({ forUserAlone: true });
  });

  it("reports a warning with what it is about", async () => {
    const events: HostEvent[] = [];
    const onEvent = (event: HostEvent) => void events.push(event);
    const warn = (kit: PluginKit) => {
      const warning = { type: "warning", atMs: 0, code: "guard-offers-less" } as const;
      kit.report({ ...warning, about: "bank.pay" });
      return { name: "warn" };
    };
    const port = { list: async () => ({ tools: [] }), call: async () => ({ content: [] }) };
    await createHost({ servers: { shop: port }, use: [warn], onEvent });
    expect(events).toContainEqual(expect.objectContaining({ about: "bank.pay" }));
  });

  it("receives hops and events, whose listeners may throw", async () => {
    const events: HostEvent[] = [];
    const tools: string[] = [];
    const listen: Plugin = {
      name: "listen",
      onHop({ hop }) {
        tools.push(hop.tool);
        throw new Error("a defect");
      },
      onEvent(event) {
        events.push(event);
        throw new Error("a defect");
      },
    };
    const { host, echo } = await open([listen], { onEvent: () => {} });
    await host.call(echo);
    expect(tools).toEqual(["echo"]);
    expect(events.filter(({ type }) => type === "call").at(-1)).toMatchObject({
      type: "call",
      stage: "record",
    });
  });

  it("adds `_meta` and headers to requests, of which the first plugin's count", async () => {
    const seen: unknown[] = [];
    const port: McpPort = {
      list: async () => ({ tools: [{ name: "echo", inputSchema: TEXT }] }),
      async call({ meta }, { headers }) {
        seen.push(meta, headers);
        return { content: [] };
      },
    };
    const first = () => ({ tenant: "a" });
    const second = () => ({ tenant: "b", user: "c" });
    const use = [
      { name: "first", requestMeta: first, requestHeaders: first },
      { name: "second", requestMeta: second, requestHeaders: second },
    ];
    const host = await createHost({ servers: { shop: port }, use });
    await host.call({ tool: "shop.echo" });
    const both = { tenant: "a", user: "c" };
    expect(seen).toEqual([both, both]);
  });

  it.each(["transformArguments", "authorize", "wrapCall", "requestMeta"])(
    "that throws in %s makes the call fail",
    async (member) => {
      let isListed = false;
      const broken = {
        name: "broken",
        [member]: (request: { method?: string }) => {
          if (request.method === "tools/list") return undefined;
          isListed = true;
          throw new Error("a secret of the application");
        },
      };
      const { host, echo } = await open([broken as Plugin]);
      const failed = host.call(echo);
      await expect(failed).rejects.toMatchObject({
        code: member === "authorize" ? "denied" : "callback-failed",
      });
      await expect(failed).rejects.not.toMatchObject({ message: expect.stringMatching(/secret/) });
      expect(isListed).toBe(true);
    },
  );

  it("is made once for each host if it is a function", async () => {
    let made = 0;
    const count = ({ now }: { now(): number }): Plugin => {
      made += Number(now() > 0);
      return { name: "count" };
    };
    await open([count]);
    await open([count]);
    expect(made).toBe(2);
  });

  it.each([
    [[() => () => ({ name: "a" })], /use\[0\] is not called yet: .* use: \[rules\(\[…\]\)\]/],
    [[{ authorize: () => "allow" }], /use\[0\] must be a plugin with a `name`/],
    [[{ name: "a", authorise: () => "allow" }], /no option "authorise".*"authorize"/],
    [[{ name: "a", wrapCall: true }], /"wrapCall" of The plugin "a" must be a function/],
    [[{ name: "a" }, { name: "a" }], /two plugins with the name "a"/],
    [[{ name: "shop", tools: [] }], /the server "shop" needs another name/],
    [{ name: "a" }, /"use" of createHost must be a list of plugins/],
  ])("that cannot work is refused: %j", async (use, message) => {
    await expect(open(use as never)).rejects.toMatchObject({
      code: "invalid-options",
      message: expect.stringMatching(message),
    });
  });

  it("may be an object of a class, whose helpers are its own affair", async () => {
    class Books {
      readonly name = "books";
      async wrapCall() {
        return { content: [{ type: "text", text: this.wrapped() }] };
      }
      wrapped() {
        return "read by a method";
      }
      authorizedUsers() {}
      onHopAll() {}
      _wrapCal() {}
    }
    class MoreBooks extends Books {
      get toolbox() {
        return [];
      }
    }
    const { host } = await open([new MoreBooks()]);
    const { result } = await host.call({ tool: "echo" });
    expect(result.content).toMatchObject([{ text: "read by a method" }]);
  });

  it.each([
    [
      "a misspelt method",
      class {
        name = "a";
        authorise() {}
      },
      'The plugin "a" has no option "authorise". Did you mean "authorize"?',
    ],
    [
      "a misspelt method of the class that it extends",
      class extends class {
        transformArgument() {}
      } {
        name = "a";
      },
      'The plugin "a" has no option "transformArgument". Did you mean "transformArguments"?',
    ],
    [
      "a misspelt accessor",
      class {
        name = "a";
        get wrapCalls() {
          return String;
        }
      },
      'The plugin "a" has no option "wrapCalls". Did you mean "wrapCall"?',
    ],
    [
      "a method in place of a list",
      class {
        name = "a";
        tools() {}
      },
      'The option "tools" of The plugin "a" must be a list; it is a function.',
    ],
  ])("is refused if its class has %s", async (_, Made, message) => {
    await expect(open([new Made() as never])).rejects.toMatchObject({
      code: "invalid-options",
      message,
    });
  });
});
