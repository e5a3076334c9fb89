import { describe, expect, it } from "vitest";
import {
  type CallOptions,
  type CallOrigin,
  type CallRequest,
  createHost,
  type Host,
  type HostEvent,
  type HostOptions,
} from "../../src/index.ts";
import { setClock } from "../clock.ts";
import { createTestServer, type TestTool } from "../servers.ts";

type CallEvent = Extract<HostEvent, { type: "call" }>;

const NUMBER = {
  inputSchema: { type: "object", properties: { n: { type: "number" } }, required: ["n"] },
};

async function open(
  tools: Record<string, TestTool>,
  options: Omit<HostOptions, "servers" | "onEvent"> = {},
) {
  const server = await createTestServer(tools);
  const events: HostEvent[] = [];
  const onEvent = (event: HostEvent) => events.push(event);
  const host = await createHost({ servers: { bank: server.client }, onEvent, ...options });
  const stages = () => events.filter((event): event is CallEvent => event.type === "call");
  const told = () => stages().map(({ stage, outcome }) => `${stage} ${outcome}`);
  return { host, server, stages, told };
}

/** What a person's yes to this call is bound to. */
async function askFor(host: Host, request: CallRequest): Promise<string> {
  const checked = await host.check(request);
  return checked.type === "ask" ? checked.binding : "";
}

describe("host.call", () => {
  it("makes one call and follows no nextTool", async () => {
    const answer = () => ({ content: [], _meta: { nextTool: { tool: "b" } } });
    const { host, server } = await open({ a: { answer }, b: {} });
    await host.call({ tool: "a" });
    expect(server.calls).toEqual(["a"]);
  });

  const STEP = { by: "pipe", pipeId: "p", path: "steps[0]" } as const;
  it.each([
    [{ by: "application" }, true],
    [{ by: "chain", causedBy: "c", after: "a.b", depth: 1 }, true],
    [{ ...STEP, author: "application" }, true],
    [{ ...STEP, author: "model" }, false],
    [STEP as CallOrigin, false],
    [{ by: "model" }, false],
  ] as const)("reaches an app-only tool when called for %j: %s", async (origin, reaches) => {
    const definition = { _meta: { ui: { visibility: ["app"] } } };
    const { host, server } = await open({ a: { definition } });
    const outcome = host.call({ tool: "a" }, { origin });
    if (reaches) await outcome;
    else await expect(outcome).rejects.toMatchObject({ code: "not-allowed" });
    expect(server.calls).toEqual(reaches ? ["a"] : []);
  });

  it.each([
    [{ origin: { by: "assistant" } }, /`by` is application, model, chain, pipe/],
    [{ origin: {} }, /"origin"/],
    [{ key: "" }, /"key" .* must be a text that is not empty; it is an empty text/],
    [{ conversation: "" }, /"conversation" of host.* must be a text that is not empty/],
    [{ timeoutMs: Number.NaN }, /"timeoutMs" of host.* must be a number; it is NaN/],
  ])("is refused with an option that would be read as none: %j", async (options, message) => {
    const { host, server } = await open({ a: {} });
    const error = { code: "invalid-options", message: expect.stringMatching(message) };
    const given = options as CallOptions;
    await expect(host.call({ tool: "a" }, given)).rejects.toMatchObject(error);
    await expect(host.run({ tool: "a" }, given)).rejects.toMatchObject(error);
    expect(server.calls).toEqual([]);
  });

  it("keeps the details of a refusal from models if the arguments are for the user alone, also when it is only checked", async () => {
    const { host } = await open({ a: { definition: NUMBER } });
    const origin = { by: "model", forUserAlone: true } as const;
    const checked = await host.check({ tool: "a", arguments: { n: "4711" as never } }, { origin });
    const message = expect.stringContaining("Its details are for the user alone");
    expect(checked).toMatchObject({
      type: "refuse",
      error: { code: "invalid-arguments", message },
    });
  });

  it("records what was asked, by whom, when and for how long", async () => {
    setClock(() => 1_000);
    const { host } = await open({ a: {} });
    const hop = await host.call({ tool: "a", arguments: { n: 1 } });
    expect(hop).toEqual({
      callId: expect.stringMatching(/^[\da-f]{8}-/),
      runId: hop.callId,
      server: "bank",
      tool: "a",
      arguments: { n: 1 },
      origin: { by: "application" },
      result: { content: [{ type: "text", text: "a done" }] },
      output: { status: "unchecked" },
      startedAtMs: 1_000,
      durationMs: 0,
    });
  });

  it("gives an error of a tool as a result", async () => {
    const answer = () => ({ content: [], structuredContent: { code: 7 }, isError: true });
    const { host } = await open({ a: { answer } });
    const { result, output } = await host.call({ tool: "a" });
    expect(result).toMatchObject({ isError: true, structuredContent: { code: 7 } });
    expect(output).toEqual({ status: "unchecked" });
  });

  it("sends nothing once it is aborted, before authorize or while it thinks", async () => {
    const aborter = new AbortController();
    const authorize = () => {
      aborter.abort();
      return "allow" as const;
    };
    const { host, server, told } = await open({ a: {} }, { authorize });
    const aborted = { code: "aborted" };
    await expect(host.call({ tool: "a" }, { signal: aborter.signal })).rejects.toMatchObject(
      aborted,
    );
    await expect(host.call({ tool: "a" }, { signal: aborter.signal })).rejects.toMatchObject(
      aborted,
    );
    expect(server.calls).toEqual([]);
    expect(told().filter((text) => text.endsWith("failed"))).toEqual([
      "authorize failed",
      "resolve failed",
    ]);
  });

  it.each([0, -5])("refuses a call that has %i ms", async (timeoutMs) => {
    const { host, server } = await open({ a: {} });
    await expect(host.call({ tool: "a" }, { timeoutMs })).rejects.toMatchObject({
      code: "timeout",
    });
    expect(server.calls).toEqual([]);
  });
});

describe("events", () => {
  it("come once for each stage of a call, in order, with the same ids", async () => {
    const { host, told, stages } = await open({ a: {} }, { authorize: () => "allow" });
    const { callId, runId } = await host.call({ tool: "a" });
    expect(told()).toEqual([
      "resolve ok",
      "allow ok",
      "arguments ok",
      "authorize ok",
      "call ok",
      "result ok",
      "record ok",
    ]);
    for (const event of stages()) expect(event).toMatchObject({ callId, runId, tool: "bank.a" });
  });

  it("end at the stage that refused, with the code", async () => {
    const { host, told, stages } = await open({ a: { definition: NUMBER } });
    await host.call({ tool: "a" }).catch(() => {});
    expect(told()).toEqual(["resolve ok", "allow ok", "arguments refused"]);
    expect(stages().at(-1)).toMatchObject({ code: "invalid-arguments" });
  });

  it("tell a call that failed from one that was refused", async () => {
    const { host, told } = await open({ a: { answer: () => Promise.reject(new Error("broken")) } });
    await host.call({ tool: "a" }).catch(() => {});
    expect(told().at(-1)).toBe("call failed");
  });

  it("hold neither arguments nor results", async () => {
    const answer = () => ({ content: [{ type: "text", text: "marker-out" }] });
    const { host, stages } = await open({ a: { answer } });
    await host.call({ tool: "a", arguments: { secret: "marker-in" } });
    expect(JSON.stringify(stages())).not.toMatch(/marker/);
  });
});

describe("authorize", () => {
  it("sees the call, and who asks", async () => {
    let seen: unknown;
    const authorize = (call: unknown) => {
      seen = call;
      return "allow" as const;
    };
    const { host } = await open({ a: {} }, { authorize });
    const origin = { by: "model", toolCallId: "t1" } as const;
    await host.call({ tool: "a", arguments: { n: 1 } }, { origin });
    expect(seen).toMatchObject({ tool: { id: "bank.a" }, arguments: { n: 1 }, origin });
  });

  it.each([
    ["a reason", { deny: "closed" }, "denied", /closed/],
    ["nothing", undefined, "denied", /must answer/],
    ["true", true, "denied", /must answer/],
    ["a reason that is no text", { deny: 1 }, "denied", /must answer/],
    ["ask", "ask", "needs-approval", /a person's approval/],
  ])("stops the call by answering %s", async (_, answer, code, message) => {
    const authorize = () => answer as "allow";
    const { host, server } = await open({ a: {} }, { authorize });
    await expect(host.call({ tool: "a" })).rejects.toMatchObject({
      code,
      message: expect.stringMatching(message),
    });
    expect(server.calls).toEqual([]);
  });

  it("stops the call by throwing, and the error keeps the cause", async () => {
    const cause = new Error("database down");
    const { host } = await open({ a: {} }, { authorize: () => Promise.reject(cause) });
    await expect(host.call({ tool: "a" })).rejects.toMatchObject({ code: "denied", cause });
  });

  it("is not waited for after the call is aborted, whatever it does with the signal", async () => {
    const aborter = new AbortController();
    const authorize = () => {
      aborter.abort("enough");
      return new Promise<"allow">(() => {});
    };
    const { host, server } = await open({ a: {} }, { authorize });
    const { signal } = aborter;
    const aborted = { code: "aborted", cause: "enough" };
    await expect(host.call({ tool: "a" }, { signal })).rejects.toMatchObject(aborted);
    expect(server.calls).toEqual([]);
  });

  it("may deny what a person approved, since it is still asked", async () => {
    let word: "ask" | { deny: string } = "ask";
    const { host, server } = await open({ a: {} }, { authorize: () => word });
    const approved = await askFor(host, { tool: "a" });
    await host.call({ tool: "a" }, { approved });
    expect(server.calls).toEqual(["a"]);
    word = { deny: "no" };
    await expect(host.call({ tool: "a" }, { approved })).rejects.toMatchObject({ code: "denied" });
    expect(server.calls).toEqual(["a"]);
  });
});

describe("an approval", () => {
  const asks = { authorize: () => "ask" as const };

  it.each([
    ["other arguments", { tool: "a", arguments: { n: 2 } }],
    ["another tool", { tool: "b", arguments: { n: 1 } }],
  ])("does not count for %s", async (_, request) => {
    const { host, server } = await open({ a: {}, b: {} }, asks);
    const approved = await askFor(host, { tool: "a", arguments: { n: 1 } });
    await expect(host.call(request, { approved })).rejects.toMatchObject({ code: "tool-changed" });
    expect(server.calls).toEqual([]);
  });

  it.each([
    ["description", { description: "Deletes the account." }],
    ["schema", { inputSchema: { type: "object", required: ["to"] } }],
    ["annotations", { annotations: { title: "Delete" } }],
  ])(
    "does not count if the %s has changed, even without an announcement",
    async (_, definition) => {
      const { host, server } = await open({ a: {} }, asks);
      const approved = await askFor(host, { tool: "a" });
      server.tools = { a: { definition } };
      const call = host.call({ tool: "a" }, { approved });
      await expect(call).rejects.toMatchObject({ code: "tool-changed" });
      expect(server.calls).toEqual([]);
    },
  );

  it("counts on another host over the same tool, whatever the order of keys", async () => {
    const { host, server } = await open({ a: {} }, asks);
    const approved = await askFor(host, { tool: "a", arguments: { n: 1, m: 2 } });
    const other = await createHost({ servers: { bank: server.client }, ...asks });
    await other.call({ tool: "bank.a", arguments: { m: 2, n: 1 } }, { approved });
    expect(server.calls).toEqual(["a"]);
  });
});

describe("host.check", () => {
  it("returns what a call would be told, and sends and records nothing", async () => {
    const answers = { a: "allow", b: "ask", c: { deny: "no" } } as const;
    const authorize = ({ tool }: { tool: { name: string } }) =>
      answers[tool.name as keyof typeof answers];
    const { host, server, stages } = await open({ a: {}, b: {}, c: {} }, { authorize });
    expect(await host.check({ tool: "a" })).toMatchObject({ type: "allow" });
    expect(await host.check({ tool: "b" })).toMatchObject({ type: "ask" });
    expect(await host.check({ tool: "c" })).toMatchObject({ error: { code: "denied" } });
    expect(await host.check({ tool: "d" })).toMatchObject({ error: { code: "unknown-tool" } });
    expect([server.calls, stages()]).toEqual([[], []]);
  });
});
