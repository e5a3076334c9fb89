import { describe, expect, it } from "vitest";
import { asking } from "../../packages/core/test/servers.ts";
import { received, structured, text } from "./servers.ts";
import { createWeb, ways } from "./web.ts";

type Step = Record<string, unknown>;

const SEARCH_FETCH_EXTRACT = {
  vars: { q: "mcp protocol overview" },
  steps: [
    { id: "search", tool: "web_search", args: { query: "${vars.q}" } },
    {
      id: "fetch",
      tool: "web_fetch",
      args: { url: { $ref: "steps.search.structured.results.0.url" } },
    },
    {
      id: "extract",
      tool: "extract_key_info",
      args: { query: "${vars.q}", materials: "${steps.fetch.structured.content}" },
    },
  ],
  return: { $ref: "steps.extract.structured.contexts" },
};

const PARALLEL_FETCH = {
  vars: { q: "golang", u1: "https://a", u2: "https://b" },
  steps: [
    {
      id: "pages",
      parallel: [
        { id: "p1", tool: "web_fetch", args: { url: "${vars.u1}" } },
        { id: "p2", tool: "web_fetch", args: { url: "${vars.u2}" } },
      ],
    },
    {
      id: "extract",
      tool: "extract_key_info",
      args: {
        query: "${vars.q}",
        materials:
          "${steps.pages.children.p1.structured.content}\n${steps.pages.children.p2.structured.content}",
      },
    },
  ],
  return: { $ref: "steps.extract.structured.contexts" },
};

const PAGE = "page of https://mcp protocol overview";
const echo = (id: string, args: object = {}): Step => ({ id, tool: "echo", args });
const FAIL = { id: "bad", tool: "fail" };

describe.each(ways)("mcp_pipe of $name", ({ run }) => {
  it("A single call can run multiple existing MCP tools in a defined order", async () => {
    const { server, output } = await run(SEARCH_FETCH_EXTRACT);
    expect(received(server)).toEqual([
      ["web_search", { query: "mcp protocol overview" }],
      ["web_fetch", { url: "https://mcp protocol overview" }],
      ["extract_key_info", { query: "mcp protocol overview", materials: PAGE }],
    ]);
    expect(output).toMatchObject({ ok: true, error: "", result: [PAGE] });
  });

  it("Parallel Fetch", async () => {
    const { server, output } = await run(PARALLEL_FETCH);
    const both = "page of https://a\npage of https://b";
    expect(server.calls).toEqual(["web_fetch", "web_fetch", "extract_key_info"]);
    expect(received(server)[2]).toEqual(["extract_key_info", { query: "golang", materials: both }]);
    expect(output).toMatchObject({ ok: true, result: [both] });
  });

  it("mcp_pipe returns structured JSON with ok, error, result and steps", async () => {
    const inner = { steps: [echo("in", { v: 1 })], return: { $ref: "steps.in.structured.v" } };
    const { output } = await run({
      steps: [
        echo("a", { v: 2 }),
        { id: "g", parallel: [echo("c", { v: 3 })] },
        { id: "n", pipe: inner },
      ],
      return: "done",
    });
    const tool = (id: string, v: number) => {
      const value = { structured: { v }, text: `{"v":${v}}` };
      return { id, kind: "tool", ok: true, error: "", ...value };
    };
    expect(output).toMatchObject({
      ok: true,
      error: "",
      result: "done",
      steps: {
        a: tool("a", 2),
        g: { id: "g", kind: "parallel", ok: true, error: "", children: { c: tool("c", 3) } },
        n: { id: "n", kind: "pipe", ok: true, error: "", result: 1, steps: { in: tool("in", 1) } },
      },
    });
  });

  it("A step's structured and text are those of its tool's result", async () => {
    const tools = { plain: { answer: () => text("only text") }, ...createWeb() };
    const { output } = await run({ steps: [{ id: "p", tool: "plain" }] }, tools);
    expect(output).toMatchObject({
      steps: { p: { kind: "tool", ok: true, structured: null, text: "only text" } },
    });
  });

  it.each([
    ["a `spec` field containing a JSON object", (spec: object) => ({ spec })],
    [
      "a `spec` field containing a JSON-encoded string",
      (spec: object) => ({ spec: JSON.stringify(spec) }),
    ],
    ["the pipeline spec object as the top-level arguments object", (spec: object) => spec],
  ])("The tool accepts %s", async (_, write) => {
    const { server, output } = await run(write(SEARCH_FETCH_EXTRACT));
    expect(server.calls).toHaveLength(3);
    expect(output).toMatchObject({ ok: true, result: [PAGE] });
  });

  it.each([
    ["two kinds", { id: "a", tool: "echo", parallel: [echo("b")] }],
    ["two kinds", { id: "a", tool: "echo", pipe: { steps: [echo("b")] } }],
    ["no kind", { id: "a", args: {} }],
  ])("Each step must specify exactly one of tool, parallel and pipe: not %s", async (_, step) => {
    const { server, output } = await run({ steps: [echo("first"), step] });
    expect(output).toMatchObject({ ok: false, error: expect.stringContaining("steps[1]") });
    expect(server.calls).toEqual([]);
  });

  it.each([
    ["empty", [echo("")]],
    ["missing", [{ tool: "echo" }]],
    ["repeated", [echo("a"), echo("a")]],
    ["repeated in a group", [{ id: "g", parallel: [echo("a"), echo("a")] }]],
  ])(
    "Step IDs must be non-empty and unique within the same `steps` list: not %s",
    async (_, steps) => {
      const { server, output } = await run({ steps });
      expect(output.ok).toBe(false);
      expect(server.calls).toEqual([]);
    },
  );

  it("Step IDs may repeat in another list", async () => {
    const { output } = await run({ steps: [echo("a"), { id: "n", pipe: { steps: [echo("a")] } }] });
    expect(output.ok).toBe(true);
  });

  it("String interpolation: occurrences of `${...}` are replaced in any string, however deep", async () => {
    const args = {
      q: "${vars.a}-${vars.a} and ${vars.n}",
      list: ["${vars.a}", { in: "x${vars.b}" }],
    };
    const { server } = await run({ vars: { a: "A", n: 5, b: true }, steps: [echo("s", args)] });
    expect(received(server)).toEqual([["echo", { q: "A-A and 5", list: ["A", { in: "xtrue" }] }]]);
  });

  it("Typed reference: replaced by the referenced value, preserving its type", async () => {
    const vars = { n: 5, t: true, nil: null, list: [1, "2"], o: { k: { deep: 0.5 } } };
    const args = Object.fromEntries(
      Object.keys(vars).map((name) => [name, { $ref: `vars.${name}` }]),
    );
    const { server } = await run({ vars, steps: [echo("s", args)], return: { $ref: "vars.o" } });
    expect(received(server)).toEqual([["echo", vars]]);
  });

  it("`last`: the last step result object", async () => {
    const steps = [
      echo("a", { v: 1 }),
      echo("b", { v: { $ref: "last.structured.v" }, id: "${last.id}" }),
    ];
    const { server } = await run({ steps });
    expect(received(server)[1]).toEqual(["echo", { v: 1, id: "a" }]);
  });

  it("Numeric segments index arrays", async () => {
    const vars = { rows: [{ id: "x" }, { id: "y" }] };
    const { output } = await run({ vars, steps: [echo("a")], return: { $ref: "vars.rows.1.id" } });
    expect(output.result).toBe("y");
  });

  it("Departure: a reference to what is not there fails its step, and the tool is not called", async () => {
    const { server, output } = await run({
      steps: [echo("a", { v: 1 }), echo("b", { v: { $ref: "steps.a.structured.nothing" } })],
    });
    expect(server.calls).toEqual(["echo"]);
    expect(output).toMatchObject({ ok: false, steps: { a: { ok: true }, b: { ok: false } } });
  });

  it("A parallel group executes its children concurrently", async () => {
    let arrived = 0;
    let meet: () => void = () => {};
    const met = new Promise<void>((resolve) => {
      meet = resolve;
    });
    const wait = {
      async answer() {
        if (++arrived === 3) meet();
        await met;
        return structured({});
      },
    };
    const parallel = ["x", "y", "z"].map((id) => ({ id, tool: "wait" }));
    const { output } = await run({ steps: [{ id: "g", parallel }] }, { wait });
    expect(output.ok).toBe(true);
  });

  it("If any child fails, the group is marked failed, and the other children are kept", async () => {
    const { output } = await run({ steps: [{ id: "g", parallel: [echo("a", { v: 1 }), FAIL] }] });
    expect(output).toMatchObject({
      ok: false,
      steps: {
        g: {
          ok: false,
          error: expect.stringContaining("no luck"),
          children: { a: { ok: true, structured: { v: 1 } }, bad: { ok: false } },
        },
      },
    });
  });

  it("The nested result stores the selected return value and the per-step results", async () => {
    const pipe = {
      vars: { x: "${vars.q}!" },
      steps: [echo("a", { v: "${vars.x}" })],
      return: { $ref: "steps.a.structured.v" },
    };
    const steps = [
      { id: "n", pipe },
      echo("after", { v: "${steps.n.result}", w: "${steps.n.steps.a.structured.v}" }),
    ];
    const { server, output } = await run({ vars: { q: "hi" }, steps });
    expect(received(server)[1]).toEqual(["echo", { v: "hi!", w: "hi!" }]);
    expect(output).toMatchObject({
      steps: { n: { result: "hi!", steps: { a: { structured: { v: "hi!" } } } } },
    });
  });

  it("When `continue_on_error=false` (default), execution stops at the first failure", async () => {
    for (const more of [{}, { continue_on_error: false }]) {
      const { server, output } = await run({ steps: [echo("a"), FAIL, echo("c")], ...more });
      expect(server.calls).toEqual(["echo", "fail"]);
      expect(output).toMatchObject({
        ok: false,
        error: expect.stringContaining("no luck"),
        steps: { a: { ok: true }, bad: { ok: false, error: expect.stringContaining("no luck") } },
      });
      expect(Object.keys(output.steps as object)).toEqual(["a", "bad"]);
    }
  });

  it("When `continue_on_error=true`, execution continues, but the final `ok` is `false` and `error` is populated", async () => {
    const { server, output } = await run({
      steps: [echo("a"), FAIL, echo("c", { v: 3 })],
      return: { $ref: "steps.c.structured.v" },
      continue_on_error: true,
    });
    expect(server.calls).toEqual(["echo", "fail", "echo"]);
    expect(output).toMatchObject({
      ok: false,
      error: expect.stringContaining("no luck"),
      result: 3,
      steps: { a: { ok: true }, bad: { ok: false }, c: { ok: true } },
    });
  });

  it("Direct recursion (`mcp_pipe` calling `mcp_pipe`) is rejected", async () => {
    const recursion = { id: "r", tool: "mcp_pipe", args: { steps: [echo("a")] } };
    const { server, output } = await run({ steps: [echo("first"), recursion] });
    expect(output).toMatchObject({ ok: false, error: expect.stringContaining("mcp_pipe") });
    expect(server.calls).toEqual([]);
  });

  it("Maximum total steps per call (default: 50), with those in groups and nested pipes", async () => {
    const group = { id: "g", parallel: [echo("x")] };
    const steps = [...Array.from({ length: 48 }, (_, at) => echo(`s${at}`)), group];
    const fifty = await run({ steps });
    expect(fifty.output.ok).toBe(true);
    expect(fifty.server.calls).toHaveLength(49);
    const more = await run({ steps: [...steps, echo("more")] });
    expect(more.output.ok).toBe(false);
    expect(more.server.calls).toEqual([]);
  });

  it.each([
    [5, true],
    [6, false],
  ])("Maximum nesting depth (default: 5): %i levels", async (levels, isOk) => {
    let spec: object = { steps: [echo("a")] };
    for (let level = 0; level < levels; level++) spec = { steps: [{ id: "n", pipe: spec }] };
    const { server, output } = await run(spec);
    expect(output.ok).toBe(isOk);
    expect(server.calls).toHaveLength(isOk ? 1 : 0);
  });

  it("Maximum parallel concurrency (default: 8)", async () => {
    let running = 0;
    let most = 0;
    const busy = {
      async answer() {
        most = Math.max(most, ++running);
        for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
        running--;
        return structured({});
      },
    };
    const parallel = Array.from({ length: 24 }, (_, at) => ({ id: `s${at}`, tool: "busy" }));
    const { output } = await run({ steps: [{ id: "g", parallel }] }, { busy });
    expect(output.ok).toBe(true);
    expect(most).toBe(8);
  });

  it("If the overall pipeline fails, steps that completed successfully stay made (there is no rollback)", async () => {
    const { server, output } = await run({ steps: [echo("a", { v: 1 }), FAIL] });
    expect(received(server)).toEqual([
      ["echo", { v: 1 }],
      ["fail", {}],
    ]);
    expect(output).toMatchObject({ steps: { a: { ok: true, structured: { v: 1 } } } });
  });

  it("Departure: what is wrong in the spec refuses it as a whole, also with `continue_on_error`", async () => {
    const steps = [echo("a"), { id: "b", tool: "no_such_tool" }, echo("c")];
    const { server, output } = await run({ steps, continue_on_error: true });
    expect(output).toMatchObject({ ok: false, steps: {} });
    expect(server.calls).toEqual([]);
  });

  it("Departure: without `return`, the result is the output of the last step", async () => {
    expect((await run({ steps: [echo("a"), echo("b", { v: 2 })] })).output.result).toEqual({
      v: 2,
    });
  });

  it("Departure: unknown members are refused", async () => {
    const { server, output } = await run({ steps: [{ id: "a", tool: "echo", arguments: {} }] });
    expect(output.ok).toBe(false);
    expect(server.calls).toEqual([]);
  });

  it("Departure: a `nextTool` in the result of a step is not followed", async () => {
    const start = { answer: () => asking("echo", { v: 1 }) };
    const { server, output } = await run(
      { steps: [{ id: "s", tool: "start" }] },
      { ...createWeb(), start },
    );
    expect(output.ok).toBe(true);
    expect(server.calls).toEqual(["start"]);
  });
});
