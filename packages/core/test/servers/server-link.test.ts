import { describe, expect, it, vi } from "vitest";
import type { ConnectServer } from "../../src/connect/index.ts";
import { createHost, type HostEvent, type HostOptions, type McpPort } from "../../src/index.ts";

const TOOL = { name: "buy", inputSchema: { type: "object" } };

/** A server in this process, with what became of it. */
function portOf(parts: Partial<McpPort> = {}) {
  return {
    list: async () => ({ tools: [TOOL] }),
    call: vi.fn(async () => ({ content: [] })),
    close: vi.fn(async () => {}),
    ...(parts as object),
  };
}

/** A function that connects once `isUp` is set. */
function connector() {
  const state = { isUp: false, made: 0 };
  const connect = async () => {
    state.made++;
    if (!state.isUp) throw new Error("down for maintenance");
    return portOf();
  };
  return { state, connect };
}

function lose(): Promise<never> {
  return Promise.reject(new Error("Connection closed"));
}

/** A function whose first port loses its call, and whose next one arrives when it is given. */
function losingConnector() {
  const next = Promise.withResolvers<McpPort>();
  const first = portOf({ call: lose });
  return { connect: vi.fn(() => next.promise).mockResolvedValueOnce(first), arrive: next.resolve };
}

describe("a server that is given as a function", () => {
  it("may be down when the host is made, and is connected by the first call that needs it", async () => {
    const { state, connect } = connector();
    const host = await createHost({ servers: { shop: connect } });
    expect(host.problems).toEqual([
      expect.objectContaining({
        server: "shop",
        code: "list-failed",
        message: expect.stringContaining("down for maintenance"),
      }),
    ]);
    await expect(host.call({ tool: "shop.buy" })).rejects.toMatchObject({
      code: "server-unavailable",
      message: expect.not.stringContaining("maintenance"), // A model may read it.
      data: {
        problems: [{ message: expect.stringMatching(/shop.*down for maintenance/s) }],
      },
    });
    state.isUp = true;
    await host.call({ tool: "shop.buy" });
    expect(host.problems).toEqual([]);
  });

  it("is connected by a call that names the tool alone", async () => {
    const { state, connect } = connector();
    const host = await createHost({ servers: { shop: connect, other: portOf({ list: noTools }) } });
    state.isUp = true;
    await host.call({ tool: "buy" });
  });

  it("is tried again when somebody lists the tools, once for many at the same time", async () => {
    const { state, connect } = connector();
    const host = await createHost({ servers: { shop: connect } });
    state.isUp = true;
    expect([...host.tools, ...host.tools, ...host.problems]).toHaveLength(1);
    await expect.poll(() => host.tools.map(({ id }) => id)).toEqual(["shop.buy"]);
    expect(state.made).toBe(2);
  });

  it("is asked once for calls that need it at the same time, up or down", async () => {
    const { state, connect } = connector();
    const host = await createHost({ servers: { shop: connect } });
    const many = () =>
      Promise.all(Array.from({ length: 20 }, () => host.run({ tool: "shop.buy" })));
    expect((await many()).every(({ error }) => error?.code === "server-unavailable")).toBe(true);
    expect(state.made).toBe(2);
    state.isUp = true;
    expect((await many()).every(({ ended }) => ended === "complete")).toBe(true);
    expect(state.made).toBe(3);
  });

  it("is not connected once more for a call that comes while it connects", async () => {
    const { connect, arrive } = losingConnector();
    const host = await createHost({ servers: { shop: connect } });
    await host.run({ tool: "shop.buy" });
    const first = host.call({ tool: "shop.buy" });
    await expect.poll(() => connect.mock.calls.length).toBe(2);
    const second = host.call({ tool: "shop.buy" });
    const { list } = portOf();
    const lists = vi.fn(list);
    arrive(portOf({ list: lists }));
    await Promise.all([first, second]);
    expect(lists).toHaveBeenCalledOnce();
  });

  it("is not waited for by calls of other servers", async () => {
    const host = await createHost({
      servers: { shop: () => new Promise<McpPort>(() => {}), docs: portOf() },
      limits: { callTimeoutMs: 20 },
    });
    await host.call({ tool: "docs.buy" });
    expect(host.problems[0]?.message).toMatch(/No answer within 20 ms/);
  });

  it("that connects too late is closed again, and a later attempt counts", async () => {
    const late = portOf();
    const connects = [
      () => new Promise<McpPort>((resolve) => setTimeout(resolve, 60, late)),
      portOf,
    ];
    const host = await createHost({
      servers: { shop: async () => connects.shift()?.() ?? portOf() },
      limits: { callTimeoutMs: 20 },
    });
    await host.call({ tool: "shop.buy" });
    await expect.poll(() => late.close.mock.calls.length).toBe(1);
    expect(late.call).not.toHaveBeenCalled();
  });

  it("learns when its time is up, and may itself say what was late", async () => {
    const connect: ConnectServer = (_, { signal }) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener("abort", () => reject(new Error("the tunnel did not open")));
      });
    const host = await createHost({ servers: { shop: connect }, limits: { callTimeoutMs: 20 } });
    expect(host.problems[0]?.message).toContain("the tunnel did not open");
  });

  it("learns when the host is closed while it connects, and whether the host answers input requests", async () => {
    const connect = vi.fn<ConnectServer>(() => new Promise(() => {}));
    connect.mockResolvedValueOnce(portOf({ call: lose }));
    const onInputRequest = async () => ({ action: "decline" }) as const;
    const host = await createHost({ servers: { shop: connect }, onInputRequest });
    await host.run({ tool: "shop.buy" });
    const call = host.run({ tool: "shop.buy" });
    await expect.poll(() => connect.mock.calls.length).toBe(2);
    const { signal, elicitation } = connect.mock.lastCall?.[1] ?? {};
    expect({ isAborted: signal?.aborted, elicitation }).toEqual({
      isAborted: false,
      elicitation: true,
    });
    await host.close();
    expect(signal?.aborted).toBe(true);
    expect((await call).error?.code).toBe("aborted");
  });

  it("is not connected again because `requestHeaders` has no connection of its own", async () => {
    const { state, connect } = connector();
    state.isUp = true;
    const fail = vi.fn().mockImplementationOnce(() => ({}));
    fail.mockRejectedValue(Object.assign(new Error("no token"), { code: "ECONNREFUSED" }));
    const host = await createHost({
      servers: { shop: connect },
      use: [{ name: "request", requestHeaders: fail }],
    });
    await host.refresh();
    expect(fail).toHaveBeenCalledTimes(2);
    expect(state.made).toBe(1);
  });

  it("is closed with the host, even if it connects only then", async () => {
    const late = portOf();
    const { connect, arrive } = losingConnector();
    const host = await createHost({ servers: { shop: connect } });
    await host.run({ tool: "shop.buy" });
    const call = host.run({ tool: "shop.buy" });
    await expect.poll(() => connect.mock.calls.length).toBe(2);
    await host.close();
    arrive(late);
    expect((await call).error?.code).toBe("aborted");
    await expect.poll(() => late.close.mock.calls.length).toBe(1);
  });

  it("is closed with the host if its tools are being read after it was made again", async () => {
    const silent = portOf({ list: () => new Promise(() => {}) });
    const connect = vi.fn(async () => silent).mockResolvedValueOnce(portOf({ call: lose }));
    const host = await createHost({ servers: { shop: connect } });
    await host.run({ tool: "shop.buy" });
    void host.run({ tool: "shop.buy" });
    await expect.poll(() => connect.mock.calls.length).toBe(2);
    await host.close();
    expect(silent.close).toHaveBeenCalledOnce();
  });

  it("is a mistake in the application if it returns no client, and closes what was connected", async () => {
    const made = portOf();
    const given = portOf();
    const servers = { bank: () => made, docs: given, shop: () => ({}) as McpPort };
    const creating = createHost({ servers });
    await expect(creating).rejects.toMatchObject({ code: "invalid-options" });
    await expect(creating).rejects.toThrow('Server "shop" is not a supported MCP client');
    expect([made.close.mock.calls.length, given.close.mock.calls.length]).toEqual([1, 0]);
  });
});

describe("a connection that is lost", () => {
  async function open(options: Partial<HostOptions> = {}, ...ports: readonly McpPort[]) {
    const left = [...ports];
    const events: HostEvent[] = [];
    const connect = async () => left.shift() ?? lose();
    const onEvent = (event: HostEvent) => events.push(event);
    return { host: await createHost({ servers: { shop: connect }, onEvent, ...options }), events };
  }

  it("never has its call made again, and no person is asked while there is no server", async () => {
    const first = portOf({ call: vi.fn(lose) });
    const authorize = vi.fn(() => "allow" as const);
    const { host, events } = await open({ authorize }, first);
    expect((await host.run({ tool: "shop.buy" })).error?.code).toBe("outcome-unknown");
    expect((await host.run({ tool: "shop.buy" })).error?.code).toBe("server-unavailable");
    expect(first.call).toHaveBeenCalledTimes(1);
    expect(first.close).toHaveBeenCalledTimes(1);
    expect(authorize).toHaveBeenCalledTimes(1);
    expect(events).toContainEqual(
      expect.objectContaining({ type: "call", stage: "resolve", code: "server-unavailable" }),
    );
  });

  it("does not make an approved call of a tool that another connection defines differently", async () => {
    const changed = { ...TOOL, description: "Buys two." };
    const second = portOf({ list: async () => ({ tools: [changed] }) });
    const authorize = () => "ask" as const;
    const { host } = await open({ authorize }, portOf({ call: lose }), second);
    const lost = await host.run({ tool: "shop.buy" });
    const asked = await host.check({ tool: "shop.buy" });
    await host.resume(lost, "approve");
    const approved = asked.type === "ask" ? asked.binding : "";
    await expect(host.call({ tool: "shop.buy" }, { approved })).rejects.toMatchObject({
      code: "tool-changed",
    });
    expect(second.call).not.toHaveBeenCalled();
  });

  it("that cannot be read after it was made again is not used for calls", async () => {
    const unreadable = portOf({ list: () => Promise.reject(new Error("no list today")) });
    const { host } = await open({}, portOf({ call: lose }), unreadable, portOf());
    await host.run({ tool: "shop.buy" });
    const { error } = await host.run({ tool: "shop.buy" });
    expect(error?.code).toBe("server-unavailable");
    expect(host.problems[0]?.message).toContain("no list today");
    expect(unreadable.call).not.toHaveBeenCalled();
    expect(unreadable.close).toHaveBeenCalledTimes(1);
    await host.call({ tool: "shop.buy" });
  });

  it("stays watched for changes of its tools when it was made again", async () => {
    let tell = () => {};
    const tools = [TOOL];
    const second = portOf({
      list: async () => ({ tools }),
      watch(listener) {
        tell = listener;
        return () => {};
      },
    });
    const { host } = await open({}, portOf({ call: lose }), second);
    await host.run({ tool: "shop.buy" });
    await host.call({ tool: "shop.buy" });
    tools.push({ ...TOOL, name: "sell" });
    tell();
    await expect.poll(() => host.tools.length).toBe(2);
  });

  it.each([
    ["MCP error 404: no such account", 404],
    ["Not connected", -32_603],
    ["Connection closed", -32_000],
    ["connect ECONNREFUSED 10.0.0.7:5432", -32_603],
  ])("is not what a server says in an error of its own: %s", async (message, code) => {
    const refusal = Object.assign(new Error(message), { code });
    const first = portOf({ call: () => Promise.reject(refusal) });
    const { host } = await open({}, first);
    const { error } = await host.run({ tool: "shop.buy" });
    expect(["protocol", "connection"]).toContain(error?.code);
    expect(first.close).not.toHaveBeenCalled();
  });
});

async function noTools() {
  return { tools: [] };
}

describe("a server that forgets its sessions", () => {
  /** A server of which each connection has a session, and a call `forgotten` that it answers with 404 on the first ones. */
  async function openForgetful({ forgetting = 1, changes = false } = {}) {
    const held: (() => void)[] = [];
    const opened: ReturnType<typeof portOf>[] = [];
    const sent: string[] = [];
    const tools = ["slow", "forgotten"].map((name) => ({ ...TOOL, name }));
    const connect = async () => {
      const at = opened.length;
      const isForgetting = at < forgetting;
      const port = portOf({
        list: async () => ({
          tools: tools.map((tool) => ({
            ...tool,
            ...(changes && { description: `Server ${at}` }),
          })),
        }),
        hasSession: () => true,
        isOpen: () => true,
        async call({ name }) {
          sent.push(name);
          if (name === "slow") await new Promise<void>((resolve) => held.push(resolve));
          if (name === "forgotten" && isForgetting)
            throw Object.assign(new Error("Session not found"), { statusCode: 404 });
          return { content: [{ type: "text", text: name }] };
        },
      });
      opened.push(port);
      return port;
    };
    const host = await createHost({ servers: { shop: connect } });
    return { host, opened, sent, held };
  }

  it("keeps its old connection until the calls under way have their results, and closes it then", async () => {
    const { host, opened, held } = await openForgetful();
    const slow = host.run({ tool: "shop.slow" });
    await vi.waitFor(() => expect(held).toHaveLength(1));
    expect(await host.run({ tool: "shop.forgotten" })).toMatchObject({ ended: "complete" });
    expect(opened).toHaveLength(2);
    expect(opened[0]?.close).not.toHaveBeenCalled();
    for (const answer of held) answer();
    expect(await slow).toMatchObject({ ended: "complete", hops: [{ tool: "slow" }] });
    await vi.waitFor(() => expect(opened[0]?.close).toHaveBeenCalledOnce());
  });

  it("gets a call that is made once again on the new connection", async () => {
    const { host, sent } = await openForgetful();
    const made = await host.run({ tool: "shop.forgotten" }, { key: "k1" });
    expect(made).toMatchObject({ ended: "complete" });
    expect(sent).toEqual(["forgotten", "forgotten"]);
    const again = await host.run({ tool: "shop.forgotten" }, { key: "k1" });
    expect(again).toMatchObject({ hops: [{ madeBefore: true }] });
    expect(sent).toHaveLength(2);
  });

  it("gets no call again of a tool that the new connection defines differently", async () => {
    const { host, opened, sent } = await openForgetful({ changes: true });
    const { error } = await host.run({ tool: "shop.forgotten" });
    expect(error).toMatchObject({ code: "server-unavailable" });
    expect([opened.length, sent]).toEqual([2, ["forgotten"]]);
  });

  it("gets a call twice at most: if the new connection forgets it too, the server is unavailable", async () => {
    const { host, sent } = await openForgetful({ forgetting: 3 });
    const { error } = await host.run({ tool: "shop.forgotten" });
    expect(error).toMatchObject({ code: "server-unavailable" });
    expect(sent).toEqual(["forgotten", "forgotten"]);
  });
});
