import { deepEqual, equal } from "node:assert/strict";
import { contains, matches } from "../assertions.ts";
import type { MemoryTool } from "../memory-server.ts";
import type { Checks } from "../scenario.ts";
import { asking, echo, failing, group, nested, step } from "./results.ts";

/** Checks of pipes without failures, and of the form of their results. */
export const pipeChecks = {
  "pipe/sequential": async (run, open) => {
    const { host, servers } = await open({ web: { echo } });
    const { result } = await run({
      host,
      spec: {
        vars: { q: "tea" },
        steps: [
          step("a", `about \${vars.q}`),
          step("b", { $ref: "steps.a.structured" }),
          step("c", `\${last.structured.v.v}!`),
        ],
        return: { $ref: "steps.c.structured.v" },
      },
    });
    matches(result, { ok: true, error: "", result: "about tea!" });
    deepEqual(
      servers.web.seen.map((call) => call.arguments),
      [{ v: "about tea" }, { v: { v: "about tea" } }, { v: "about tea!" }],
    );
  },

  "pipe/output-format": async (run, open) => {
    const { host } = await open({ web: { echo } });
    const { result } = await run({
      host,
      spec: {
        steps: [step("t"), group("g", step("x")), nested("n", { steps: [step("y")] })],
      },
    });
    const common = { ok: true, error: "", started_at: "time", duration_ms: "time" };
    const tool = (id: string) => ({
      ...common,
      id,
      kind: "tool",
      structured: { v: id },
      text: `{"v":"${id}"}`,
      hops: ["echo"],
    });
    deepEqual(JSON.parse(JSON.stringify(result, withoutRuns)), {
      ok: true,
      error: "",
      result: { v: "y" },
      steps: {
        t: tool("t"),
        g: { ...common, id: "g", kind: "parallel", children: { x: tool("x") } },
        n: { ...common, id: "n", kind: "pipe", result: { v: "y" }, steps: { y: tool("y") } },
      },
    });
  },

  "pipe/parallel": async (run, open) => {
    const { host } = await open({ web: { echo } });
    const { result } = await run({
      host,
      spec: {
        steps: [
          step("a"),
          group("g", step("x", { $ref: "steps.a.structured.v" }), step("y", `\${last.text}`)),
          step("end", `\${steps.g.children.x.structured.v} \${steps.g.children.y.structured.v}`),
        ],
      },
    });
    matches(result, { ok: true, result: { v: 'a {"v":"a"}' } });
  },

  "pipe/at-the-same-time": async (run, open) => {
    let waiting = 0;
    let release = () => {};
    const together = new Promise<void>((resolve) => {
      release = resolve;
    });
    const meet: MemoryTool = {
      answer: () => {
        if (++waiting === 4) release();
        return together.then(() => ({ content: [] }));
      },
    };
    const { host } = await open({ web: { meet } });
    const children = [0, 1, 2, 3].map((at) => ({ id: `c${at}`, tool: "meet" }));
    const { result } = await run({ host, spec: { steps: [group("g", ...children)] } });
    equal(result.ok, true);
  },

  "pipe/nested": async (run, open) => {
    const { host } = await open({ web: { echo } });
    const inner = {
      vars: { b: { $ref: "steps.a.structured.v" }, c: `\${vars.c}!` },
      steps: [step("x", `\${vars.a} \${vars.b} \${vars.c}`), step("y", `\${last.structured.v}.`)],
      return: { $ref: "steps.y.structured.v" },
    };
    const { result } = await run({
      host,
      spec: {
        vars: { a: 1, c: 3 },
        steps: [step("a", "out"), nested("n", inner), step("end", `<\${last.result}>`)],
        return: `\${steps.n.steps.x.structured.v} \${steps.end.structured.v}`,
      },
    });
    matches(result, { ok: true, result: "1 out 3! <1 out 3!.>" });
  },

  "pipe/deep": async (run, open) => {
    const { host } = await open({ web: { echo } });
    let spec: object = { vars: { d: 5 }, steps: [step("leaf", { $ref: "vars.d" })] };
    for (let level = 0; level < 5; level++) spec = { steps: [group("g", nested("n", spec))] };
    const { result } = await run({ host, spec });
    matches(result, { ok: true, error: "" });
    contains(JSON.stringify(result.result), '{"v":5}');
  },

  "pipe/long": async (run, open) => {
    const { host, servers } = await open({ web: { echo } });
    const steps = Array.from({ length: 50 }, (_, at) =>
      step(`s${at}`, at === 0 ? 0 : { $ref: `steps.s${at - 1}.structured.v` }),
    );
    const { result } = await run({ host, spec: { steps } });
    matches(result, { ok: true, result: { v: 0 } });
    equal(servers.web.calls.length, 50);
  },

  "pipe/nulls": async (run, open) => {
    const { host } = await open({ web: { echo } });
    const unset = { tool: null, args: null, parallel: null, pipe: null };
    const none = { vars: null, return: null, continue_on_error: null };
    const steps = [
      { ...unset, id: "p", pipe: { ...none, steps: [{ ...unset, ...step("x", null) }] } },
      { ...unset, id: "g", parallel: [{ ...unset, ...step("y") }] },
      { ...unset, id: "z", tool: "echo" },
    ];
    for (const spec of [
      { ...none, steps },
      { ...none, steps: null, spec: { steps } },
    ]) {
      const { result } = await run({ host, spec });
      matches(result, { ok: true, result: {}, steps: { p: { result: { v: null } } } });
    }
  },

  "pipe/ids": async (run, open) => {
    const { host } = await open({ web: { echo } });
    const ids = ["a b", "x:y|z", "__start__", "toString", "vars", "日本", "1", "a/b\\c", "return"];
    const { result } = await run({
      host,
      spec: {
        steps: [...ids.map((id) => step(id)), group("g", ...ids.map((id) => step(id)))],
      },
    });
    const { steps } = result as { steps: Record<string, { children?: object }> };
    deepEqual(Object.keys(steps).sort(), [...ids, "g"].sort());
    deepEqual(Object.keys(steps.g?.children ?? {}).sort(), [...ids].sort());
  },

  "pipe/input-forms": async (run, open) => {
    const { host } = await open({ web: { echo } });
    const spec = { steps: [step("a")], return: { $ref: "steps.a.structured.v" } };
    const forms = [spec, JSON.stringify(spec), { spec }, { spec: JSON.stringify(spec) }];
    for (const form of forms) {
      matches((await run({ host, spec: form })).result, { ok: true, result: "a" });
    }
  },

  "pipe/one-call": async (run, open) => {
    const { host, servers } = await open({ web: { a: { answer: () => asking("echo") }, echo } });
    const { result } = await run({ host, spec: { steps: [{ id: "s", tool: "a" }] } });
    deepEqual(servers.web.calls, ["a"]);
    matches(result, { ok: true, result: "more to come", steps: { s: { hops: [{ tool: "a" }] } } });
  },

  "pipe/parallel-limit": async (run, open) => {
    let inFlight = 0;
    let most = 0;
    const busy: MemoryTool = {
      answer: async () => {
        most = Math.max(most, ++inFlight);
        await new Promise((done) => setTimeout(done, 10)); // Long enough for the others to begin.
        inFlight--;
        return { content: [] };
      },
    };
    const { host, servers } = await open({ web: { busy } });
    const leaves = () => [0, 1, 2, 3, 4].map((at) => ({ id: `l${at}`, tool: "busy" }));
    const inner = nested("n", { steps: [group("g", ...leaves())] });
    const groups = [0, 1, 2, 3].map((at) => group(`g${at}`, ...leaves()));
    const { result } = await run({ host, spec: { steps: [group("all", inner, ...groups)] } });
    equal(result.ok, true);
    equal(servers.web.calls.length, 25);
    equal(most, 8);
  },

  "pipe/recorded": async (run, open) => {
    const { host, events } = await open({ web: { echo, bad: failing("no") } });
    await run({ host, spec: { steps: [group("g", step("x")), { id: "b", tool: "bad" }] } });
    const recorded = events.filter((event) => event.type === "call" && event.stage === "record");
    matches(recorded, [
      { tool: "web.echo", origin: { by: "pipe", path: "steps.g.children.x" }, isError: false },
      { tool: "web.bad", origin: { by: "pipe", path: "steps.b" }, isError: true },
    ]);
    const whole = events.filter((event) => event.type === "pipe");
    matches(whole, [{ stage: "started" }, { stage: "ended", ok: false, calls: 2 }]);
    const ids = [...recorded, ...whole].map((event) => "runId" in event && event.runId);
    equal(new Set(ids).size, 1);
  },
} satisfies Checks<"pipe">;

/** Replaces values that differ in each run by a word, if their type is right. */
function withoutRuns(key: string, value: unknown): unknown {
  if (key === "started_at" && typeof value === "string") return "time";
  if (key === "duration_ms" && typeof value === "number") return "time";
  return key === "hops" ? (value as { tool: string }[]).map(({ tool }) => tool) : value;
}
