import { describe, expect, it } from "vitest";
import { type CallToolResult, createHost, type McpPort, type Plugin } from "../../src/index.ts";
import { createTestServer, type TestTool } from "../servers.ts";

type Interceptor = NonNullable<Plugin["wrapCall"]>;

const NUMBER = { inputSchema: { type: "object", properties: { n: { type: "number" } } } };

async function open(intercept: readonly Interceptor[], tools: Record<string, TestTool> = {}) {
  const server = await createTestServer({ a: { definition: NUMBER }, b: {}, ...tools });
  return {
    server,
    host: await createHost({
      servers: { bank: server.client },
      use: [...intercept.map((wrapCall, at) => ({ name: `wrap ${at}`, wrapCall }))],
    }),
  };
}

describe("interceptors", () => {
  it("run around the call, the first outermost", async () => {
    const order: string[] = [];
    const named =
      (name: string): Interceptor =>
      async (call, next) => {
        order.push(`${name} in`);
        const result = await next(call);
        order.push(`${name} out`);
        return result;
      };
    const { host } = await open([named("first"), named("second")]);
    await host.call({ tool: "a" });
    expect(order).toEqual(["first in", "second in", "second out", "first out"]);
  });

  it("may answer without a call, and the answer is checked like a server's", async () => {
    const { host, server } = await open([async () => ({ content: "cached" }) as never]);
    await expect(host.call({ tool: "a" })).rejects.toMatchObject({ code: "malformed-result" });
    expect(server.calls).toEqual([]);
  });

  it("may call again", async () => {
    const { host, server } = await open([
      async (call, next) => {
        const result: CallToolResult = await next(call);
        return result.isError ? next(call) : result;
      },
    ]);
    let calls = 0;
    const answer = () => {
      calls++;
      return { content: [], isError: calls === 1 };
    };
    server.tools = { a: { answer } };
    expect((await host.call({ tool: "a" })).result.isError).toBe(false);
    expect(server.calls).toEqual(["a", "a"]);
  });

  it("may change the arguments, which are checked again", async () => {
    const { host, server } = await open([
      (call, next) => next({ ...call, arguments: { n: Number(call.arguments.n) * 2 } }),
    ]);
    await host.call({ tool: "a", arguments: { n: 2 } });
    expect(server.seen[0]?.arguments).toEqual({ n: 4 });
    await expect(host.call({ tool: "a" })).rejects.toMatchObject({ code: "invalid-arguments" });
    expect(server.calls).toHaveLength(1);
  });

  it("may not change arguments where they are, at any depth", async () => {
    for (const change of [
      (args: object) => Object.assign(args, { n: "two" }),
      (args: object) => Object.assign(Object(args).of[0], { n: "two" }),
      (args: object) => Object(args).of.push("two"),
    ]) {
      const { host, server } = await open([
        (call, next) => {
          change(call.arguments);
          return next(call);
        },
      ]);
      const request = { tool: "a", arguments: { n: 2, of: [{ n: 1 }] } };
      await expect(host.call(request)).rejects.toMatchObject({ code: "callback-failed" });
      expect(server.calls).toEqual([]);
      request.arguments.of.push({ n: 2 }); // The caller's own object is not frozen.
    }
  });

  it("may not send other arguments unchecked by putting them into the call that they receive", async () => {
    const { host, server } = await open([
      (call, next) => next(Object.assign(call, { arguments: { n: "two" } })),
    ]);
    const request = { tool: "a", arguments: { n: 2 } };
    await expect(host.call(request)).rejects.toMatchObject({ code: "invalid-arguments" });
    expect(server.calls).toEqual([]);
  });

  it("may send the checked arguments without another check", async () => {
    let checks = 0;
    const host = await createHost({
      servers: { bank: (await createTestServer({ a: { definition: NUMBER } })).client },
      use: [
        { name: "once more", wrapCall: (call, next) => next(call).then(() => next({ ...call })) },
      ],
      validator: {
        getValidator: () => (data) => {
          checks++;
          return { valid: true, data: data as never, errorMessage: undefined };
        },
      },
    });
    const { arguments: args } = await host.call({ tool: "a", arguments: { n: 2 } });
    expect(args).toEqual({ n: 2 });
    expect(checks).toBe(1);
  });

  it("are not waited for after the call is aborted", async () => {
    const aborter = new AbortController();
    const { host } = await open([
      () => {
        aborter.abort("enough");
        return new Promise<never>(() => {});
      },
    ]);
    const { signal } = aborter;
    const chain = await host.run({ tool: "a" }, { signal });
    expect(chain).toMatchObject({ ended: "aborted", error: { cause: "enough" } });
  });

  it("cannot change the tool", async () => {
    const { host, server } = await open([
      (call, next) => next({ ...call, tool: { ...call.tool, name: "b", id: "bank.b" } }),
    ]);
    await host.call({ tool: "a" });
    expect(server.calls).toEqual(["a"]);
  });

  it("cannot change the tool of the call that they receive either", async () => {
    const { host, server } = await open([
      (call, next) =>
        next(Object.assign(call, { tool: { ...call.tool, name: "b", id: "bank.b" } })),
    ]);
    expect(await host.call({ tool: "a" })).toMatchObject({ tool: "a" });
    expect(server.calls).toEqual(["a"]);
  });

  it("fail the call when they throw, and the error keeps the cause", async () => {
    const cause = new Error("cache down");
    const { host } = await open([() => Promise.reject(cause)]);
    await expect(host.call({ tool: "a" })).rejects.toMatchObject({
      code: "callback-failed",
      cause,
    });
  });
});

describe("requestMeta", () => {
  it("is not waited for after the call is aborted", async () => {
    const server = await createTestServer({ a: {} });
    const aborter = new AbortController();
    const host = await createHost({
      servers: { bank: server.client },
      use: [
        {
          name: "request",
          requestMeta: ({ method }) => {
            if (method === "tools/list") return undefined;
            aborter.abort("enough");
            return new Promise<never>(() => {});
          },
        },
      ],
    });
    const { signal } = aborter;
    await expect(host.call({ tool: "a" }, { signal })).rejects.toMatchObject({ code: "aborted" });
    expect(server.calls).toEqual([]);
  });

  it("is asked for lists and for calls, and what it throws fails the call alone", async () => {
    const server = await createTestServer({ a: {} });
    const asked: string[] = [];
    const host = await createHost({
      servers: { bank: server.client },
      use: [
        {
          name: "request",
          requestMeta: (request) => {
            asked.push(request.method);
            if (request.method === "tools/call") throw new Error("no session");
            return undefined;
          },
        },
      ],
    });
    await expect(host.call({ tool: "a" })).rejects.toMatchObject({ code: "callback-failed" });
    expect(asked).toEqual(["tools/list", "tools/call"]);
    expect(server.calls).toEqual([]);
  });
});

describe("an abort", () => {
  it("made while another call is about to be sent keeps that call from its server", async () => {
    const calls: unknown[] = [];
    const aborter = new AbortController();
    const list = async () => ({ tools: [{ name: "a", inputSchema: { type: "object" } }] });
    const call = async ({ arguments: { n } }: Parameters<McpPort["call"]>[0]) => {
      calls.push(n);
      aborter.abort();
      return { content: [] };
    };
    const host = await createHost({ servers: { bank: { list, call } } });
    const { signal } = aborter;
    const both = [1, 2].map((n) => host.run({ tool: "a", arguments: { n } }, { signal }));
    const [, second] = await Promise.all(both);
    expect(second).toMatchObject({ ended: "aborted", hops: [] });
    expect(calls).toEqual([1]);
  });
});

it("Progress is shown without characters that hide, and shortened.", async () => {
  const told: unknown[] = [];
  const port: McpPort = {
    list: async () => ({ tools: [{ name: "a", inputSchema: { type: "object" } }] }),
    async call(_, { onProgress }) {
      onProgress?.({ progress: 1, total: 2, message: `\u202eevil${"x".repeat(5_000)}` });
      return { content: [] };
    },
  };
  const host = await createHost({ servers: { bank: port } });
  await host.call({ tool: "a" }, { onProgress: (progress) => void told.push(progress) });
  const message = expect.stringMatching(/^\\u202eevilx{900,1000}$/);
  expect(told).toEqual([{ progress: 1, total: 2, message }]);
});
