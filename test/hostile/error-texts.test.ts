import { createHost, type HostEvent, type HostOptions, modelView } from "@toolrail/core";
import { describe, expect, it } from "vitest";
import { createTestServer, type TestTool } from "../../packages/core/test/servers.ts";

const SECRET = "postgres://app:hunter2@db/prod";

async function open(tools: Record<string, TestTool>, options: Omit<HostOptions, "servers"> = {}) {
  const { client } = await createTestServer(tools);
  const events: HostEvent[] = [];
  const onEvent = (event: HostEvent) => events.push(event);
  const host = await createHost({ servers: { bank: client }, onEvent, ...options });
  /** What a model reads of the call, and everything that the events say. */
  const call = async (args: Record<string, unknown> = {}) => {
    const chain = await host.run({ tool: "a", arguments: args });
    return { chain, model: JSON.stringify(modelView(chain)), told: JSON.stringify(events) };
  };
  return { call };
}

const refusing = (message: string): TestTool => ({
  answer: () => {
    throw Object.assign(new Error(message), { code: -32_603 });
  },
});

describe("the text of a server's error", () => {
  it("reaches a model with its first 1,000 characters, whatever its length", async () => {
    const { call } = await open({ a: refusing("x".repeat(1_000_000)) });
    const { chain, model } = await call();
    expect(chain).toMatchObject({ ended: "failed", error: { code: "protocol" } });
    expect(model.length).toBeLessThan(1_500);
    expect(model).toContain("… (1000018 characters)");
  });

  it("shows characters that hide or reorder text as their code", async () => {
    const { call } = await open({ a: refusing("safe \u202etxt.exe\u0007 \u2066x") });
    const { chain } = await call();
    expect(chain.error?.message).toContain("safe \\u202etxt.exe\\u0007 \\u2066x");
  });

  it("is in no event, so that an echoed argument is not logged", async () => {
    const { call } = await open({ a: refusing(`bad token ${SECRET}`) });
    expect((await call({ token: SECRET })).told).not.toContain(SECRET);
  });
});

describe("an exception of the application's own code", () => {
  const fail = () => {
    throw new Error(`cannot reach ${SECRET}`);
  };

  const cases: [string, Omit<HostOptions, "servers">, string][] = [
    ["authorize", { authorize: fail }, "denied"],
    [
      "requestMeta",
      {
        use: [
          {
            name: "request",
            requestMeta: ({ method }) => (method === "tools/call" ? fail() : undefined),
          },
        ],
      },
      "callback-failed",
    ],
    ["an interceptor", { use: [{ name: "wrap", wrapCall: fail }] }, "callback-failed"],
  ];
  it.each(cases)("in %s is the error's cause, and no model or event reads it", async (...it) => {
    const [, options, code] = it;
    const { call } = await open({ a: {} }, options);
    const { chain, model, told } = await call();
    expect(chain.error).toMatchObject({ code });
    expect(String(chain.error?.cause)).toContain(SECRET);
    expect(model + told + JSON.stringify(chain)).not.toContain(SECRET);
  });
});

describe("a list of tools that could not be read", () => {
  it("is reported without the error text in events, and without the text of an exception anywhere", async () => {
    const { client } = await createTestServer({ a: {} });
    const events: HostEvent[] = [];
    let isDown = false;
    const requestMeta = () => {
      if (isDown) throw new Error(`cannot reach ${SECRET}`);
      return undefined;
    };
    const onEvent = (event: HostEvent) => void events.push(event);
    const host = await createHost({
      servers: { bank: client },
      use: [{ name: "request", requestMeta }],
      onEvent,
    });
    isDown = true;
    await host.refresh();
    const chain = await host.run({ tool: "bank.gone" });
    expect(chain.error?.code).toBe("server-unavailable");
    expect(JSON.stringify([host.problems, events, modelView(chain)])).not.toContain(SECRET);
    const problem = { server: "bank", code: "list-failed" };
    const message = 'There is a problem with the server "bank" (list-failed): see host.problems.';
    expect(events).toContainEqual({ type: "problem", atMs: expect.any(Number), problem, message });
  });

  it("is a problem with the first 1,000 characters of what the server said", async () => {
    const { client } = await createTestServer({ a: {} });
    const events: HostEvent[] = [];
    const onEvent = (event: HostEvent) => void events.push(event);
    const host = await createHost({ servers: { bank: client }, onEvent });
    client.request = () => Promise.reject(new Error(`${SECRET} ${"x".repeat(100_000)}`));
    await host.refresh();
    expect(host.problems[0]?.message.length).toBeLessThan(1_500);
    expect(JSON.stringify(events)).not.toContain(SECRET);
  });
});

describe("a hostile definition", () => {
  it("is not quoted in full to a model if a next tool names what is not offered", async () => {
    const $ref = `#/${"x".repeat(100_000)}`;
    const { call } = await open({
      a: { answer: () => ({ content: [], _meta: { nextTool: { tool: "b" } } }) },
      b: { definition: { inputSchema: { type: "object", properties: { n: { $ref } } } } },
    });
    const { chain, model } = await call();
    expect(chain.error?.code).toBe("quarantined-tool");
    expect(model.length).toBeLessThan(1_500);
  });
});

describe("a hostile pattern in a schema", () => {
  it("is not quoted in full if arguments break it", async () => {
    const pattern = `^(${"ab|".repeat(600)}c)$`;
    const inputSchema = { type: "object", properties: { n: { type: "string", pattern } } };
    const { call } = await open({ a: { definition: { inputSchema } } });
    const { chain } = await call({ n: "zzz" });
    expect(chain.error?.code).toBe("invalid-arguments");
    expect(chain.error?.message.length).toBeLessThan(1_500);
  });
});
