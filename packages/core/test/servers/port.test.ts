import { describe, expect, it } from "vitest";
import { createHost, type McpPort, type Progress } from "../../src/index.ts";

function portOf(more: Partial<McpPort> = {}): McpPort {
  return {
    list: async () => ({ tools: [{ name: "a", inputSchema: { type: "object" } }] }),
    call: async ({ name, arguments: args }) => ({
      content: [{ type: "text", text: `${name} ${JSON.stringify(args)}` }],
    }),
    ...more,
  };
}

describe("a port", () => {
  it("serves tools as a client does", async () => {
    const host = await createHost({ servers: { own: portOf() } });
    const hop = await host.call({ tool: "own.a", arguments: { n: 1 } });
    expect(hop.result.content).toEqual([{ type: "text", text: 'a {"n":1}' }]);
  });

  it("is asked with the time that the call has left and the listener of its progress", async () => {
    const seen: number[] = [];
    const call: McpPort["call"] = async (_, { timeoutMs, onProgress }) => {
      seen.push(timeoutMs);
      onProgress?.({ progress: 1 });
      return { content: [] };
    };
    const host = await createHost({ servers: { own: portOf({ call }) } });
    const onProgress = ({ progress }: { progress: number }) => seen.push(progress);
    await host.call({ tool: "a" }, { timeoutMs: 50, onProgress });
    expect(seen).toEqual([expect.toSatisfy((ms) => ms > 0 && ms <= 50), 1]);
  });

  it("that never answers a call leaves its outcome unknown when the time of the call is up", async () => {
    const call = () => new Promise<never>(() => {});
    const limits = { callTimeoutMs: 40 };
    const host = await createHost({ servers: { own: portOf({ call }) }, limits });
    const called = host.call({ tool: "a" });
    await expect(called).rejects.toMatchObject({ code: "outcome-unknown" });
  });

  it("tells its progress in plain text of at most 1,000 characters", async () => {
    const message = `\u202eevil${"x".repeat(5_000)}`;
    const call: McpPort["call"] = async (_, { onProgress }) => {
      onProgress?.({ progress: 1, total: 2, message });
      return { content: [] };
    };
    const host = await createHost({ servers: { own: portOf({ call }) } });
    const told: Progress[] = [];
    await host.call({ tool: "a" }, { onProgress: (progress) => told.push(progress) });
    const shown = `\\u202eevil${"x".repeat(995)}`;
    expect(told).toEqual([{ progress: 1, total: 2, message: shown }]);
  });

  it("may tell that its tools have changed", async () => {
    let tell = () => {};
    let name = "a";
    const port = portOf({
      list: async () => ({ tools: [{ name, inputSchema: { type: "object" } }] }),
      watch(listener) {
        tell = listener;
        return () => {};
      },
    });
    const host = await createHost({ servers: { own: port } });
    name = "b";
    tell();
    await expect.poll(() => host.tools.map((tool) => tool.name)).toEqual(["b"]);
  });

  it("is closed with the host, unless it is shared", async () => {
    const closed: string[] = [];
    const close = (name: string) => async () => {
      closed.push(name);
    };
    const shared = { client: portOf({ close: close("shared") }), shared: true };
    const lent = { client: () => portOf({ close: close("lent") }), shared: true };
    const own = portOf({ close: close("own") });
    const host = await createHost({ servers: { own, shared, lent } });
    await host.close();
    expect(closed).toEqual(["own"]);
  });

  it("may be an object of a class with private fields, shared or not", async () => {
    class Shop implements McpPort {
      readonly #tools = [{ name: "a", inputSchema: { type: "object" } }];
      readonly #sold = "sold";
      list = async () => ({ tools: this.#tools });
      async call() {
        return { content: [{ type: "text", text: this.#sold }] };
      }
    }
    const servers = { own: new Shop(), shared: { client: new Shop(), shared: true } };
    const host = await createHost({ servers });
    for (const tool of ["own.a", "shared.a"]) {
      expect((await host.call({ tool })).result.content).toMatchObject([{ text: "sold" }]);
    }
  });

  it("may be made with the host that it serves", async () => {
    const host = await createHost({
      servers: {
        own: portOf(),
        twice: (made) => portOf({ call: async () => (await made.call({ tool: "own.a" })).result }),
      },
    });
    const hop = await host.call({ tool: "twice.a" });
    expect(hop.result.content).toEqual([{ type: "text", text: "a {}" }]);
  });

  it("harms only its own call when it answers with something else than a result", async () => {
    const call: McpPort["call"] = async () => "not a result";
    const host = await createHost({ servers: { own: portOf({ call }), other: portOf() } });
    await expect(host.call({ tool: "own.a" })).rejects.toMatchObject({ code: "malformed-result" });
    await expect(host.call({ tool: "other.a" })).resolves.toBeDefined();
  });
});
