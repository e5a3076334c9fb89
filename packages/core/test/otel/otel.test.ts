import * as api from "@opentelemetry/api";
import { createHost, type HostOptions, type Plugin } from "@toolrail/core";
import { otel } from "@toolrail/core/otel";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { asking, createTestServer, type TestTool } from "../servers.ts";
import { drawSpans, startTracing, takeSpans, under } from "./tracing.ts";

beforeAll(startTracing);
beforeEach(() => void takeSpans());

const TOOLS: Record<string, TestTool> = {
  prepare: { answer: () => asking("pay") },
  pay: {},
  search: {},
  bad: { answer: () => ({ content: [{ type: "text", text: "secret" }], isError: true }) },
};

async function openHost(
  { use = [], ...options }: Omit<HostOptions, "servers"> = {},
  tools = TOOLS,
) {
  const { client, ...server } = await createTestServer(tools);
  const host = await createHost({
    ...options,
    use: [...use, otel(api)],
    servers: { bank: client },
  });
  return { host, server };
}

function readAll(spans: ReturnType<typeof takeSpans>): string {
  return JSON.stringify(
    spans.map(({ attributes, events, status }) => [attributes, events, status]),
  );
}

describe("otel", () => {
  it("shows each call of a chain as a span of the active one", async () => {
    const { host, server } = await openHost();
    await under("app", () => host.run({ tool: "prepare" }));
    const spans = takeSpans();
    expect(drawSpans(spans)).toEqual(["app", "  tools/call prepare", "  tools/call pay"]);
    const [, prepare, pay] = spans;
    expect(pay).toMatchObject({
      kind: api.SpanKind.CLIENT,
      attributes: {
        "mcp.method.name": "tools/call",
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": "pay",
        "toolrail.server": "bank",
        "toolrail.origin": "chain",
        "toolrail.chain.depth": 1,
        "toolrail.run.id": prepare?.attributes["toolrail.run.id"],
      },
    });
    // The server is told of the span of its own call.
    const told = server.seen.map(({ _meta }) => _meta?.traceparent);
    expect(told).toEqual(
      [prepare, pay].map((span) => {
        const { traceId, spanId } = span?.spanContext() ?? {};
        return `00-${traceId}-${spanId}-01`;
      }),
    );
  });

  it("marks the span of a result that is an error, without its text", async () => {
    const { host } = await openHost();
    await host.call({ tool: "bad" });
    const spans = takeSpans();
    expect(drawSpans(spans)).toEqual(["tools/call bad !tool_error"]);
    expect(spans[0]?.status.code).toBe(api.SpanStatusCode.ERROR);
    expect(readAll(spans)).not.toContain("secret");
  });

  it("names the id of the model's tool call", async () => {
    const { host } = await openHost();
    await host.call({ tool: "search" }, { origin: { by: "model", toolCallId: "call_1" } });
    expect(takeSpans()[0]?.attributes).toMatchObject({ "gen_ai.tool.call.id": "call_1" });
  });

  it("makes the span of a call active around its request", async () => {
    const active: unknown[] = [];
    const { host } = await openHost({
      use: [
        { name: "wrap", wrapCall: (call, next) => next(call) },
        {
          name: "request",
          requestMeta: () => {
            active.push(api.trace.getActiveSpan()?.spanContext().spanId);
            return { "example.org/own": 1 };
          },
        },
      ],
    });
    active.length = 0;
    await host.call({ tool: "search" });
    const [span] = takeSpans();
    expect(span).toBeDefined();
    expect(active).toEqual([span?.spanContext().spanId]);
  });

  it("keeps the meta and the listener of the application beside its own", async () => {
    const types = new Set<string>();
    const { host, server } = await openHost({
      use: [{ name: "request", requestMeta: () => ({ "example.org/own": 1 }) }],
      onEvent: (event) => types.add(event.type),
    });
    await host.call({ tool: "search" });
    expect(server.seen[0]?._meta).toMatchObject({
      "example.org/own": 1,
      traceparent: expect.stringMatching(/^00-/),
    });
    expect(types).toContain("call");
  });

  it("shows a call that was refused, with its code, and nothing of what a model wrote", async () => {
    const { host } = await openHost({ authorize: () => ({ deny: "secret" }) });
    await host.run({ tool: "search", arguments: { q: "secret" } });
    await host.run({ tool: "no such tool" });
    const spans = takeSpans();
    expect(drawSpans(spans)).toEqual(["tools/call !denied", "tools/call !unknown-tool"]);
    expect(readAll(spans)).not.toContain("secret");
  });

  it("shows a call that waits for a person once it is made", async () => {
    const { host } = await openHost({ authorize: () => "ask" });
    const paused = await host.run({ tool: "search" });
    expect(drawSpans(takeSpans())).toEqual([]);
    await host.resume(JSON.parse(JSON.stringify(paused)), "approve");
    expect(drawSpans(takeSpans())).toEqual(["tools/call search"]);
  });

  it("gives the JSON-RPC code of an error of the protocol", async () => {
    const answer = () => {
      throw Object.assign(new Error("secret"), { code: -32602 });
    };
    const { host } = await openHost({}, { search: { answer } });
    await host.run({ tool: "search" });
    const spans = takeSpans();
    expect(drawSpans(spans)).toEqual(["tools/call search !protocol"]);
    expect(spans[0]?.attributes["rpc.response.status_code"]).toBe("-32602");
    expect(readAll(spans)).not.toContain("secret");
  });

  it("ends the span of a call that is aborted", async () => {
    const { host } = await openHost({}, { search: { answer: () => new Promise(() => {}) } });
    const signal = AbortSignal.timeout(20);
    await expect(host.call({ tool: "search" }, { signal })).rejects.toMatchObject({
      code: "aborted",
    });
    await expect.poll(() => drawSpans(takeSpans())).toEqual(["tools/call search !aborted"]);
  });

  it("shows each attempt of a plugin before it that repeats a call", async () => {
    const wrapCall: Plugin["wrapCall"] = async (call, next) => {
      await next(call);
      return next(call);
    };
    const { host } = await openHost({ use: [{ name: "wrap", wrapCall }] });
    await host.call({ tool: "search" });
    expect(drawSpans(takeSpans())).toEqual(["tools/call search", "tools/call search"]);
  });

  it("leaves requests as they are if nothing records", async () => {
    const { client, seen } = await createTestServer(TOOLS);
    const getTracer = () => new api.ProxyTracerProvider().getTracer("none");
    const off = { ...api, trace: Object.assign(Object.create(api.trace), { getTracer }) };
    const host = await createHost({ servers: { bank: client }, use: [otel(off)] });
    const chain = await host.run({ tool: "prepare" });
    expect(chain.ended).toBe("complete");
    expect(seen.flatMap(({ _meta }) => Object.keys(_meta ?? {}))).not.toContain("traceparent");
  });

  it("refuses anything but the whole API", () => {
    expect(() => otel({} as never)).toThrow(expect.objectContaining({ code: "invalid-options" }));
  });
});
