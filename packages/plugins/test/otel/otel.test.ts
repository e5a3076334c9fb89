import * as api from "@opentelemetry/api";
import { createHost, type HostOptions } from "@toolrail/core";
import { createSingleStep } from "@toolrail/guard";
import { parsePipe, runPipe } from "@toolrail/pipe";
import {
  beginStep,
  createPipeRun,
  reportPipe,
  resumeToolStep,
  runToolStep,
  topVariables,
} from "@toolrail/pipe/engine";
import { otel } from "@toolrail/plugins/otel";
import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import * as z from "zod";
import { asking, createTestServer, type TestTool } from "../../../core/test/servers.ts";
import { drawSpans, peekSpans, startTracing, takeSpans, under } from "./tracing.ts";

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

describe("otel", () => {
  it("shows a chain with its calls, each linked to the one it follows from", async () => {
    const { host, server } = await openHost();
    await under("app", () => host.run({ tool: "prepare" }));
    const spans = takeSpans();
    expect(drawSpans(spans)).toEqual([
      "app",
      "  chain",
      "    tools/call prepare",
      "    tools/call pay -> tools/call prepare",
    ]);
    const [, chain, prepare, pay] = spans;
    expect(chain?.attributes).toMatchObject({
      "toolrail.chain.ended": "complete",
      "toolrail.chain.calls": 2,
    });
    expect(pay).toMatchObject({
      kind: api.SpanKind.CLIENT,
      attributes: {
        "mcp.method.name": "tools/call",
        "gen_ai.operation.name": "execute_tool",
        "gen_ai.tool.name": "pay",
        "toolrail.server": "bank",
        "toolrail.chain.depth": 1,
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

  it("shows a pipe as a workflow with its steps, and errors without their texts", async () => {
    const { host } = await openHost();
    const inner = { steps: [{ id: "z", tool: "bad" }] };
    const spec = {
      steps: [
        { id: "one", tool: "prepare" },
        {
          id: "par",
          parallel: [
            { id: "x", tool: "search" },
            { id: "y", pipe: inner },
          ],
        },
      ],
    };
    await under("app", () => runPipe(host, { spec, follow: true }));
    const spans = takeSpans();
    expect(drawSpans(spans)).toEqual([
      "app",
      "  invoke_workflow mcp_pipe !pipe_failed",
      "    step steps.one",
      "      tools/call prepare",
      "      tools/call pay -> tools/call prepare",
      "    step steps.par !step_failed",
      "      step steps.par.children.x",
      "        tools/call search",
      "      step steps.par.children.y !step_failed",
      "        step steps.par.children.y.steps.z !step_failed",
      "          tools/call bad !tool_error",
    ]);
    expect(
      JSON.stringify(spans.map(({ attributes, events, status }) => [attributes, events, status])),
    ).not.toContain("secret");
  });

  it("makes the span of a call active around it, also for interceptors of the application before it", async () => {
    const active: unknown[] = [];
    const { host } = await openHost({
      use: [
        { name: "wrap", wrapCall: (call, next) => next(call) },
        { name: "wrap 2", wrapCall: (call, next) => next(call) },
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
    expect(drawSpans(spans)).toEqual([
      "chain !denied",
      "  tools/call !denied",
      "chain !unknown-tool",
      "  tools/call !unknown-tool",
    ]);
    expect(
      JSON.stringify(spans.map(({ attributes, events, status }) => [attributes, events, status])),
    ).not.toContain("secret");
  });

  it("gives the JSON-RPC code of an error of the protocol", async () => {
    const answer = () => {
      throw Object.assign(new Error("secret"), { code: -32602 });
    };
    const { host } = await openHost({}, { search: { answer } });
    await host.run({ tool: "search" });
    const [, call] = takeSpans();
    expect(call?.attributes).toMatchObject({
      "error.type": "protocol",
      "rpc.response.status_code": "-32602",
    });
  });

  it("shows each attempt of an interceptor that repeats a call", async () => {
    const { host } = await openHost({
      use: [
        {
          name: "wrap",
          wrapCall: async (call, next) => ((await next(call)).isError ? next(call) : next(call)),
        },
      ],
    });
    await host.call({ tool: "search" });
    expect(drawSpans(takeSpans())).toEqual(["tools/call search", "tools/call search"]);
  });

  it("links what continues after an approval to what waited, in another process too", async () => {
    const authorize: HostOptions["authorize"] = ({ tool }) =>
      tool.name === "pay" ? "ask" : "allow";
    const one = await openHost({ authorize });
    const paused = await under("request 1", () => one.host.run({ tool: "prepare" }));
    const first = takeSpans();
    expect(drawSpans(first)).toEqual([
      "request 1",
      "  chain",
      "    tools/call prepare",
      "    tools/call waiting -> tools/call prepare",
    ]);
    const other = await openHost({ authorize });
    const kept = JSON.parse(JSON.stringify(paused));
    await under("request 2", () => other.host.resume(kept, "approve"));
    const second = takeSpans();
    expect(drawSpans([...first, ...second]).slice(4)).toEqual([
      "request 2",
      "  chain -> tools/call prepare",
      "    tools/call pay -> tools/call prepare",
    ]);
  });

  it("links a first call that waited for a person to the chain that it began", async () => {
    const { host } = await openHost({ authorize: () => "ask" });
    const paused = await host.run({ tool: "search" });
    const [chain] = takeSpans();
    await host.resume(JSON.parse(JSON.stringify(paused)), "approve");
    const [, call] = takeSpans();
    expect(call?.links.map(({ context }) => context.spanId)).toEqual([chain?.spanContext().spanId]);
  });

  it("takes no text for trace context that is none", async () => {
    const { host } = await openHost({ authorize: () => "ask" });
    for (const traceparent of ["", "00-x-y-01", `00-${"0".repeat(32)}-${"1".repeat(16)}-01`]) {
      const origin = { by: "application", traceparent } as const;
      const paused = await host.run({ tool: "search" });
      takeSpans();
      const pending = paused.pending && { ...paused.pending, origin };
      await host.resume({ ...paused, ...(pending && { pending }) }, "approve");
      expect(drawSpans(takeSpans())).toEqual(["chain", "  tools/call search"]);
    }
  });

  it("shows a guarded query with its one call", async () => {
    const { host } = await openHost();
    const guard = createSingleStep(host, { allow: { "bank.search": "allow" }, contract: "off" });
    const query = guard.startQuery();
    await query.call({ tool: "bank.pay" });
    await query.call({ tool: "bank.search" });
    expect(drawSpans(takeSpans())).toEqual([
      "guard",
      "  tools/call !not-on-allowlist",
      "guard",
      "  tools/call search",
    ]);
  });

  it("shows a spec that was refused", async () => {
    const { host } = await openHost();
    await runPipe(host, { spec: { steps: [] } });
    expect(drawSpans(takeSpans())).toEqual(["invoke_workflow mcp_pipe !invalid-pipe"]);
  });

  it("ends the spans of a pipe that stops to wait, and links what continues elsewhere to them", async () => {
    const authorize = () => "ask" as const;
    const one = await openHost({ authorize });
    const pipe = parsePipe(one.host, {
      spec: { steps: [{ id: "g", parallel: [{ id: "x", tool: "pay" }] }] },
    });
    const [group] = pipe.steps;
    const [step] = group?.kind === "parallel" ? group.children : [];
    if (!group || step?.kind !== "tool") throw new Error("The spec has another shape.");
    const variables = topVariables(pipe, {});
    const run = createPipeRun(one.host, { pauses: true, pipeId: crypto.randomUUID() });
    reportPipe(run, { steps: 2 });
    beginStep(run, group);
    const waiting = await runToolStep(run, { step, variables });
    if (waiting.type !== "waiting") throw new Error("The step does not wait.");
    await expect.poll(() => peekSpans()).toBe(4);
    const first = takeSpans();
    expect(drawSpans(first)).toEqual([
      "invoke_workflow mcp_pipe waiting",
      "  step steps.g waiting",
      "    step steps.g.children.x waiting",
      "      tools/call waiting",
    ]);
    const other = await openHost({ authorize });
    const resumed = createPipeRun(other.host, { pipeId: run.pipeId });
    const { startMs, chain } = JSON.parse(JSON.stringify(waiting));
    await resumeToolStep(resumed, { step, variables, startMs, chain, decision: "approve" });
    expect(drawSpans([...first, ...takeSpans()]).slice(4)).toEqual([
      "tools/call pay -> invoke_workflow mcp_pipe",
    ]);
  });

  it("lets a pipe that cannot wait end as a failure", async () => {
    const { host } = await openHost({ authorize: () => "ask" });
    await runPipe(host, { spec: { steps: [{ id: "x", tool: "pay" }] } });
    await new Promise((resolve) => setTimeout(resolve, 0));
    expect(drawSpans(takeSpans())).toEqual([
      "invoke_workflow mcp_pipe !pipe_failed",
      "  step steps.x !step_failed",
      "    tools/call waiting",
    ]);
  });

  it("keeps the types of the options", async () => {
    const schemas = { "bank.search": z.object({ found: z.number() }) };
    const structuredContent = { found: 3 };
    const { client } = await createTestServer({
      search: { answer: () => ({ content: [], structuredContent }) },
    });
    const host = await createHost({ servers: { bank: client }, schemas, use: [otel(api)] });
    const { output } = await host.call({ tool: "bank.search" });
    const found: number = output.status === "valid" ? output.value.found : 0;
    expect(found).toBe(3);
  });

  it("leaves requests as they are if nothing records", async () => {
    const { client, seen } = await createTestServer(TOOLS);
    const getTracer = () => new api.ProxyTracerProvider().getTracer("none");
    const off = { ...api, trace: Object.assign(Object.create(api.trace), { getTracer }) };
    const host = await createHost({ servers: { bank: client }, use: [otel(off)] });
    const chain = await host.run({ tool: "prepare" });
    expect(chain.ended).toBe("complete");
    expect(chain.hops.map(({ origin }) => Object.keys(origin))).not.toContain("traceparent");
    expect(seen.flatMap(({ _meta }) => Object.keys(_meta ?? {}))).not.toContain("traceparent");
  });
});
