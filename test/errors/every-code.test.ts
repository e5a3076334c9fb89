import {
  createHost,
  type HostOptions,
  type McpPort,
  ToolrailError,
  type ToolrailErrorCode,
} from "@toolrail/core";
import { decideHop, pendingHopProblem } from "@toolrail/core/adapter";
import { createSingleStep } from "@toolrail/core/guard";
import { parsePipe } from "@toolrail/core/pipe";
import { describe, expect, it } from "vitest";
import { MemoryStore } from "../../packages/core/src/call/store.ts";

type Answer = McpPort["call"];

const OPEN = { type: "object" };
const NUMBER = { ...OPEN, properties: { n: { type: "number" } } };

/** A server in this process with the tools `a` and `b`. */
function portOf(
  call: Answer = async () => ({ content: [] }),
  tools: readonly object[] = [],
): McpPort {
  const own = ["a", "b"].map((name) => ({ name, inputSchema: NUMBER }));
  return { list: async () => ({ tools: [...own, ...tools] }), call };
}

interface Opened extends Partial<HostOptions> {
  readonly call?: Answer;
  readonly tools?: readonly object[];
}

function open({ call, tools, ...rest }: Opened = {}) {
  return createHost({
    servers: { own: portOf(call, tools) },
    ...rest,
  });
}

const ASKING: Opened = {
  call: async () => ({
    resultType: "input_required",
    inputRequests: {
      sure: { method: "elicitation/create", params: { message: "Sure?", requestedSchema: OPEN } },
    },
  }),
};

async function callA(options: Parameters<typeof open>[0]) {
  return (await open(options)).call({ tool: "own.a" });
}

/** The error that a chain ends with whose first result has this `nextTool`. */
async function chainWith(nextTool: unknown, limits: HostOptions["limits"] = {}) {
  const call: Answer = async () => ({ content: [], _meta: { nextTool } });
  return (await (await open({ call, limits })).run({ tool: "own.a" })).error;
}

/** For each code one way to get it, from the outside. A new code without one does not compile. */
const PROVOKE: { readonly [Code in ToolrailErrorCode]: () => unknown } = {
  "invalid-options": () => createHost({ servers: {} }),
  "callback-failed": () =>
    callA({
      use: [
        {
          name: "request",
          requestMeta: ({ method }) => {
            if (method === "tools/call") throw new Error("no session");
            return undefined;
          },
        },
      ],
    }),
  "unknown-tool": async () => (await open()).call({ tool: "fly" }),
  "quarantined-tool": async () => {
    const host = await open({ tools: [{ name: "bad", inputSchema: "none" }] });
    return host.call({ tool: "own.bad" });
  },
  "not-allowed": () => callA({ allow: ["own.b"] }),
  "invalid-arguments": async () => (await open()).call({ tool: "a", arguments: { n: "one" } }),
  denied: () => callA({ authorize: () => ({ deny: "not today" }) }),
  "needs-approval": () => callA({ authorize: () => "ask" }),
  "needs-input": () => callA(ASKING),
  "unknown-hop": () =>
    pendingHopProblem(undefined, { server: "own", name: "a", arguments: {}, nowMs: 0 }),
  "malformed-next-tool": () => chainWith("b"),
  "chain-cycle": () => chainWith({ tool: "a" }),
  "chain-depth": () => chainWith({ tool: "b" }, { maxChainDepth: 1 }),
  "tool-changed": async () => {
    let description = "reads";
    const list = async () => ({ tools: [{ name: "a", description, inputSchema: OPEN }] });
    const authorize = () => "ask" as const;
    const host = await createHost({ servers: { own: { ...portOf(), list } }, authorize });
    const asked = await host.check({ tool: "a" });
    description = "deletes";
    return host.call({ tool: "a" }, { approved: "binding" in asked ? asked.binding : "" });
  },
  "step-used": async () => {
    const guard = createSingleStep(await open(), { allow: ["own.*"] as never, contract: "off" });
    const query = guard.startQuery();
    await query.call({ tool: "own.a" });
    const checked = await query.check({ tool: "own.a" });
    return "error" in checked && checked.error;
  },
  "invalid-pipe": async () => parsePipe(await open(), { spec: { steps: "none" } }),
  "server-unavailable": () =>
    createHost({
      servers: { own: { ...portOf(), list: () => Promise.reject(new Error("down")) } },
    }),
  "needs-sign-in": () =>
    callA({ call: () => Promise.reject(Object.assign(new Error("401"), { status: 401 })) }),
  protocol: () =>
    callA({ call: () => Promise.reject(Object.assign(new Error("no"), { code: -32_603 })) }),
  timeout: async () => (await open()).call({ tool: "a" }, { timeoutMs: 0 }),
  aborted: async () =>
    (await open()).call({ tool: "a" }, { signal: AbortSignal.abort(new Error("enough")) }),
  "claimed-elsewhere": async () => {
    const store = new MemoryStore({ maxBytes: 1e6, now: Date.now });
    const { promise: isMade, resolve: make } = Promise.withResolvers<void>();
    const host = await open({
      store,
      call: (_, { signal }) => {
        make();
        return new Promise((_, reject) =>
          signal?.addEventListener("abort", () => reject(signal.reason)),
        );
      },
    });
    const aborter = new AbortController();
    const first = host.call({ tool: "a" }, { key: "p", signal: aborter.signal });
    await isMade; // Else either of them may be the one that makes it.
    const second = host.call({ tool: "a" }, { key: "p", timeoutMs: 30 });
    await second.catch(() => {});
    aborter.abort();
    await first.catch(() => {});
    return second;
  },
  "outcome-unknown": async () => {
    const aborter = new AbortController();
    const host = await open({
      store: new MemoryStore({ maxBytes: 1e6, now: Date.now }),
      call: () => {
        aborter.abort();
        return new Promise(() => {});
      },
    });
    await host.call({ tool: "a" }, { key: "p", signal: aborter.signal }).catch(() => {});
    return host.call({ tool: "a" }, { key: "p" });
  },
  "invalid-output": async () => {
    const tools = [{ name: "c", inputSchema: OPEN, outputSchema: NUMBER }];
    const call: Answer = async () => ({ content: [], structuredContent: { n: "one" } });
    return (await (await open({ call, tools })).run({ tool: "own.c" })).error;
  },
  "malformed-result": () => callA({ call: async () => "done" }),
};

describe("every code of ToolrailError", () => {
  it("is one of 25 at most, since a code is for programs that react to it", () => {
    expect(Object.keys(PROVOKE).length).toBeLessThanOrEqual(25);
  });

  it.each(Object.entries(PROVOKE))(
    "%s is the code that its case ends in",
    async (code, provoke) => {
      const caught = await Promise.resolve()
        .then(provoke)
        .catch((reason: unknown) => reason);
      expect(caught).toBeInstanceOf(ToolrailError);
      const { message, ...error } = caught as ToolrailError;
      expect(error.code).toBe(code);
      expect(message).toMatch(/^\S.{10,}[.)\]]?$/s);
    },
  );
});

describe("decideHop", () => {
  it("is reached by the codes of chains as by `host.run`", async () => {
    const call: Answer = async () => ({ content: [], _meta: { nextTool: "b" } });
    const host = await open({ call });
    const decided = await decideHop(host, await host.call({ tool: "a" }), { root: "r" });
    expect(decided).toMatchObject({ error: { code: "malformed-next-tool" } });
  });
});
