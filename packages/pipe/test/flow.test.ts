import { describe, expect, it } from "vitest";
import type { TestTool } from "../../core/test/servers.ts";
import { flow } from "../src/flow/index.ts";
import { runPipe } from "../src/index.ts";
import { echo, openPipeHost, say } from "./pipe-scenario.ts";

const LIST: TestTool = {
  answer: () => ({ content: [], structuredContent: { rows: [{ n: 1 }, { n: 5 }, { n: 9 }] } }),
};
const ROWS = { $ref: "steps.list.structured.rows" };
const list = { id: "list", tool: "list" };

describe("when", () => {
  it("A step whose condition is false makes no call, and is reported as skipped.", async () => {
    const { host, web } = await openPipeHost({ echo });
    const steps = [
      { ...say("a"), when: "vars.n > 3" },
      { ...say("b"), when: "!(vars.n > 3)" },
      say("c", "${last.structured.v}"),
    ];
    const result = await runPipe(host, { flow: flow(), spec: { vars: { n: 2 }, steps } });
    expect(result).toMatchObject({ ok: true, result: { v: "b" } });
    expect(result.steps.a).toMatchObject({ ok: true, skipped: true, hops: [], structured: null });
    expect(result.steps.b).toMatchObject({ ok: true, skipped: false });
    expect(result.steps.c).not.toHaveProperty("skipped");
    expect(web.seen.map(({ arguments: { v } }) => v)).toEqual(["b", "b"]);
  });

  it("Groups, nested pipes and loops are skipped as a whole.", async () => {
    const { host, web } = await openPipeHost({ echo });
    const when = "false";
    const steps = [
      { id: "g", when, parallel: [say("x")] },
      { id: "n", when, pipe: { steps: [say("x")] } },
      { id: "e", when, for_each: [1], do: { tool: "echo" } },
    ];
    const result = await runPipe(host, { flow: flow(), spec: { steps } });
    expect(result).toMatchObject({ ok: true, result: null });
    expect(result.steps).toMatchObject({ g: { children: {} }, n: { steps: {} }, e: { items: [] } });
    expect(web.calls).toEqual([]);
  });

  it("A reference to a skipped step fails, and an expression can ask for it.", async () => {
    const { host } = await openPipeHost({ echo });
    const a = { ...say("a"), when: "false" };
    const reading = say("b", { $ref: "steps.a.structured.v" });
    const { error } = await runPipe(host, { flow: flow(), spec: { steps: [a, reading] } });
    expect(error).toBe(
      'steps.b: "steps.a.structured.v" cannot be read: "steps.a" has no "structured"; it was skipped, and has no result',
    );
    const cel = "has(steps.a.structured) ? steps.a.structured.v : steps.a.skipped";
    const asking = say("b", { $cel: cel });
    expect(await runPipe(host, { flow: flow(), spec: { steps: [a, asking] } })).toMatchObject({
      ok: true,
      result: { v: true },
    });
  });

  it("A condition that cannot be read, or is neither true nor false, fails its step.", async () => {
    const { host, web } = await openPipeHost({ echo });
    for (const when of ["steps.a.structured.w > 1", "steps.a.structured.v"]) {
      const spec = { steps: [say("a"), { ...say("b"), when }] };
      const { error, steps } = await runPipe(host, { flow: flow(), spec });
      expect(error).toMatch(/^steps\.b: when: /);
      expect(steps.b).toMatchObject({ ok: false, skipped: false });
    }
    expect(web.calls).toHaveLength(2);
  });
});

describe("for_each", () => {
  it("Each item is a step, and the results stand in the order of the list.", async () => {
    const { host, web, events } = await openPipeHost({ list: LIST, echo });
    const each = {
      id: "e",
      for_each: ROWS,
      as: "row",
      do: { tool: "echo", args: { v: "${row.n}", whole: { $ref: "row" } } },
    };
    const spec = {
      steps: [list, each, say("z", { $cel: "steps.e.items.map(i, i.structured.whole.n)" })],
      return: [{ $ref: "steps.e.items.1.structured.v" }, { $ref: "steps.z.structured.v" }],
    };
    const result = await runPipe(host, { flow: flow(), spec });
    expect(result).toMatchObject({ ok: true, result: ["5", [1, 5, 9]] });
    expect(result.steps.e).toMatchObject({ kind: "for_each", items: [{ id: "0" }, {}, {}] });
    expect(web.calls).toHaveLength(5);
    const paths = events.flatMap((event) => (event.type === "step" ? event.path : []));
    expect(paths).toContain("steps.e.items.2");
  });

  it("A nested pipe is run for each item, and sees it.", async () => {
    const { host } = await openPipeHost({ echo });
    const inner = {
      vars: { twice: "${item}${item}" },
      steps: [say("x", "${vars.twice} ${item}")],
      return: { $ref: "last.structured.v" },
    };
    const spec = { steps: [{ id: "e", for_each: ["a", "b"], do: { pipe: inner } }] };
    const result = await runPipe(host, { flow: flow(), spec });
    expect(result.result).toEqual(["aa a", "bb b"]);
    expect(JSON.stringify(result.steps)).toContain('"path":"steps.e.items.1.steps.x"');
  });

  it("All items are checked before the first of their calls.", async () => {
    const inputSchema = { type: "object", properties: { n: { type: "number", maximum: 8 } } };
    const take: TestTool = { definition: { inputSchema } };
    const { host, web } = await openPipeHost({ list: LIST, take });
    const each = { id: "e", for_each: ROWS, do: { tool: "take", args: { n: { $ref: "item.n" } } } };
    const { error, steps } = await runPipe(host, { flow: flow(), spec: { steps: [list, each] } });
    expect(error).toMatch(/^steps\.e\.items\.2: .*must be <= 8/);
    expect(steps.e).toMatchObject({ ok: false, items: [] });
    expect(web.calls).toEqual(["list"]);
  });

  it("A list that is too long, or none, fails the step before its first call.", async () => {
    const many: TestTool = {
      answer: () => ({ content: [], structuredContent: { rows: Array(10_000).fill(1), n: 1 } }),
    };
    const { host, web } = await openPipeHost({ many, echo });
    const fails = async (path: string, more: object = {}) => {
      const each = { id: "e", for_each: { $ref: path }, do: { tool: "echo" }, ...more };
      return (
        await runPipe(host, { flow: flow(), spec: { steps: [{ id: "m", tool: "many" }, each] } })
      ).error;
    };
    expect(await fails("steps.m.structured.rows")).toMatch(
      /^steps\.e: the list has 10000 items; at most 20/,
    );
    expect(await fails("steps.m.structured.rows", { max_items: 10_000 })).toMatch(
      /^steps\.e: the 10000 items need more steps than are left of 50/,
    );
    expect(await fails("steps.m.structured.n")).toBe("steps.e: for_each needs a list");
    expect(await fails("steps.m.structured.no")).toMatch(/^steps\.e: for_each: .*has no "no"/);
    expect(new Set(web.calls)).toEqual(new Set(["many"]));
  });

  it("The siblings of an item that fails continue, and the step fails with the place.", async () => {
    const { host, web } = await openPipeHost({
      picky: {
        answer: ({ arguments: { v } }) => ({
          content: [],
          structuredContent: { v },
          isError: v === 2,
        }),
      },
    });
    const each = {
      id: "e",
      for_each: [1, 2, 3],
      do: { tool: "picky", args: { v: { $ref: "item" } } },
    };
    const { error, steps } = await runPipe(host, { flow: flow(), spec: { steps: [each] } });
    expect(error).toMatch(/^steps\.e\.items\.1: /);
    expect(steps.e).toMatchObject({ items: [{ ok: true }, { ok: false }, { ok: true }] });
    expect(web.calls).toHaveLength(3);
  });

  it("Two items that fail are reported in the order of the list, whichever answered first, and no later step begins.", async () => {
    const second = Promise.withResolvers<void>();
    const picky: TestTool = {
      async answer({ arguments: { v } }) {
        if (v === 3) second.resolve();
        else await second.promise;
        return { content: [{ type: "text", text: `bad ${v}` }], isError: v !== 2 };
      },
    };
    const { host, web } = await openPipeHost({ picky, echo });
    const each = {
      id: "e",
      for_each: [1, 2, 3],
      do: { tool: "picky", args: { v: { $ref: "item" } } },
    };
    const spec = { steps: [each, say("after")] };
    const { error, steps } = await runPipe(host, { flow: flow(), spec });
    expect(error).toBe("steps.e.items.0: bad 1; steps.e.items.2: bad 3");
    expect(Object.keys(steps)).toEqual(["e"]);
    expect(web.calls).toEqual(["picky", "picky", "picky"]);
  });

  it("An empty list is done at once.", async () => {
    const { host } = await openPipeHost({ echo });
    const spec = { steps: [{ id: "e", for_each: [], do: { tool: "echo" } }] };
    expect(await runPipe(host, { flow: flow(), spec })).toMatchObject({ ok: true, result: [] });
  });

  it("What a user typed into an item is never read as a reference.", async () => {
    const { host, web } = await openPipeHost({ echo });
    const spec = {
      vars: { rows: ["${vars.key}", { $ref: "vars.key" }], key: "hush" },
      steps: [
        {
          id: "e",
          for_each: { $ref: "vars.rows" },
          do: { tool: "echo", args: { v: { $ref: "item" } } },
        },
      ],
    };
    await runPipe(host, { flow: flow(), spec });
    expect(web.seen.map(({ arguments: { v } }) => v)).toEqual([
      "${vars.key}",
      { $ref: "vars.key" },
    ]);
  });
});

describe("steps at the same time", () => {
  it("At most maxParallel calls run at once, nested pipes and lists included.", async () => {
    let now = 0;
    let most = 0;
    const busy: TestTool = {
      async answer() {
        most = Math.max(most, ++now);
        await new Promise(setImmediate);
        now--;
        return { content: [] };
      },
    };
    const { host } = await openPipeHost({ busy });
    const calls = (name: string) =>
      Array.from({ length: 5 }, (_, at) => ({ id: `${name}${at}`, tool: "busy" }));
    const parallel = [
      ...calls("a"),
      { id: "g", parallel: calls("g") },
      { id: "n", pipe: { steps: calls("n") } },
      { id: "e", for_each: [1, 2, 3, 4, 5], do: { tool: "busy" } },
    ];
    const spec = { steps: [{ id: "all", parallel }] };
    const { ok } = await runPipe(host, { flow: flow(), spec, limits: { maxParallel: 3 } });
    expect(ok).toBe(true);
    expect(most).toBe(3);
  });

  it("An abort lets nothing begin, and the pipe is not ok, even if it continues after errors.", async () => {
    const aborter = new AbortController();
    const { host, web } = await openPipeHost({
      stop: {
        answer() {
          aborter.abort();
          return { content: [] };
        },
      },
      echo,
    });
    const spec = { steps: [{ id: "s", tool: "stop" }, say("a")], continue_on_error: true };
    const result = await runPipe(host, { flow: flow(), spec, signal: aborter.signal });
    expect(result.ok).toBe(false);
    expect(web.calls).toEqual(["stop"]);
  });

  it("Results that are too much are dropped in the order of the spec.", async () => {
    const { host } = await openPipeHost({ echo });
    const parallel = [say("a", "x".repeat(400)), say("b", "y".repeat(400)), say("c", "z")];
    const limits = { maxKeptBytes: 1_400 };
    const spec = { steps: [{ id: "g", parallel }], continue_on_error: true, return: 1 };
    const result = await runPipe(host, { flow: flow(), spec, limits });
    expect(result.error).toMatch(/^steps\.g\.children\.b: The results of this pipe exceed/);
    expect(result.steps).toMatchObject({
      g: { children: { a: { ok: true }, b: { hops: [] }, c: { ok: true } } },
    });
  });
});
