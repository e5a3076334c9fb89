import { createHost } from "@toolrail/core";
import { checkPipe, runPipe, toPipeReply } from "@toolrail/core/pipe";
import { describe, expect, it, onTestFinished } from "vitest";
import { createTestServer, type TestTool } from "../../packages/core/test/servers.ts";

const echo: TestTool = {
  answer: ({ arguments: args }) => ({ content: [], structuredContent: args }),
};

async function open(tools: Record<string, TestTool>) {
  const web = await createTestServer({ echo, ...tools });
  const host = await createHost({ servers: { web: web.client } });
  onTestFinished(() => host.close());
  return { web, host };
}

function say(id: string, v: unknown) {
  return { id, tool: "echo", args: { v } };
}

describe("what is not for models", () => {
  it("The reply of a pipe holds no _meta and no text for the user alone.", async () => {
    const { host } = await open({
      bank: {
        answer: () => ({
          content: [{ type: "text", text: "PIN 1234", annotations: { audience: ["user"] } }],
          isError: true,
          _meta: { token: "hush" },
        }),
      },
    });
    const steps = [{ id: "b", tool: "bank" }];
    const spec = { steps, return: { $ref: "steps.b.text" }, continue_on_error: true };
    const reply = toPipeReply(await runPipe(host, { spec, author: "model" }));
    expect(JSON.stringify(reply)).not.toMatch(/1234|hush/);
  });

  it("No path leads to the raw results of a step.", async () => {
    const { host } = await open({});
    const spec = { steps: [say("a", 1)], return: { $ref: "steps.a.hops.0.result._meta" } };
    expect(checkPipe(host, { spec })).toMatchObject({ ok: false, problems: [{ path: "return" }] });
  });
});

describe("paths to a prototype", () => {
  const before = Object.getOwnPropertyNames(Object.prototype).toString();

  it.each([
    "last.__proto__.x",
    "last.constructor.name",
    "last.structured.v.prototype",
    "last.structured.__proto__",
    "steps.a['__proto__']",
    "steps.a.structured.\\u005f_proto__",
  ])("The path %s reads nothing.", async (path) => {
    const { host, web } = await open({});
    const result = await runPipe(host, {
      spec: { steps: [say("a", {}), say("b", { $ref: path })] },
    });
    expect(result.ok).toBe(false);
    expect(web.calls.length).toBeLessThan(2);
  });

  it.each(["toString", "hasOwnProperty", "valueOf", "__defineGetter__"])(
    "The name %s is inherited, and so not there.",
    async (name) => {
      const { host } = await open({});
      const steps = [say("a", {}), say("b", { $ref: `last.structured.v.${name}` })];
      expect((await runPipe(host, { spec: { steps } })).error).toContain(`has no "${name}"`);
    },
  );

  it("Keys of a spec or of a result that lead to a prototype change nothing.", async () => {
    const { host } = await open({
      evil: {
        answer: () => ({
          content: [],
          structuredContent: { o: JSON.parse('{"__proto__":{"polluted":1},"a":1}') },
        }),
      },
    });
    const steps = [{ id: "e", tool: "evil" }, say("a", { $ref: "steps.e.structured.o" })];
    await runPipe(host, { spec: { steps } });
    const spec = JSON.parse(
      '{"steps":[{"id":"a","tool":"echo","args":{"__proto__":{"polluted":1}}}]}',
    );
    expect((await runPipe(host, { spec })).ok).toBe(false);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
    expect(Object.getOwnPropertyNames(Object.prototype).toString()).toBe(before);
  });
});

describe("values without measure", () => {
  it("A value that is inserted a hundred times is refused before it is built.", async () => {
    const page = "x".repeat(500_000);
    const { web, host } = await open({
      big: { answer: () => ({ content: [], structuredContent: { page } }) },
    });
    const steps = [{ id: "b", tool: "big" }, say("a", `\${steps.b.structured.page}`.repeat(100))];
    const result = await runPipe(host, { spec: { steps } });
    expect(result.error).toMatch(/^steps\.a: .*larger than/);
    expect(web.calls).toEqual(["big"]);
  });

  it("Results that fill the memory end the pipe, and the others are kept.", async () => {
    const page = "x".repeat(3_000_000);
    const { host } = await open({
      big: { answer: () => ({ content: [], structuredContent: { page } }) },
    });
    const parallel = Array.from({ length: 8 }, (_, at) => ({ id: `b${at}`, tool: "big" }));
    const result = await runPipe(host, { spec: { steps: [{ id: "g", parallel }] } });
    expect(result.error).toContain("limits.maxKeptBytes");
    expect(JSON.stringify(result.steps).length).toBeLessThan(40_000_000);
  });

  it("A result or a spec of a hundred thousand levels is refused, and the process survives.", async () => {
    const deep = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
    const { host } = await open({
      deep: { answer: () => ({ content: [], structuredContent: { deep: JSON.parse(deep) } }) },
    });
    const result = await runPipe(host, { spec: { steps: [{ id: "d", tool: "deep" }] } });
    expect(result).toMatchObject({ ok: false, steps: { d: { ok: false } } });
    expect((await runPipe(host, { spec: `{"steps":[],"vars":{"d":${deep}}}` })).error).toMatch(
      /deeper than/,
    );
  });
});

describe("more than is allowed", () => {
  it("A spec of a million steps makes no call.", async () => {
    const { web, host } = await open({});
    const steps = Array.from({ length: 1_000_000 }, (_, at) => say(`s${at}`, 1));
    expect((await runPipe(host, { spec: { steps } })).ok).toBe(false);
    expect(web.calls).toEqual([]);
  });

  it("A tool only for the application cannot be part of a model's pipe, by any of its names.", async () => {
    const { web, host } = await open({
      widget: { definition: { _meta: { ui: { visibility: ["app"] } } } },
    });
    for (const tool of ["widget", "web.widget", host.find("widget").modelName]) {
      const result = await runPipe(host, {
        spec: { steps: [{ id: "w", tool }] },
        author: "model",
      });
      expect(result.error).toContain("only for the application");
    }
    expect(web.calls).toEqual([]);
  });
});
