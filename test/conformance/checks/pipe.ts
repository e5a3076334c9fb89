import { expect } from "vitest";
import { asking, type TestTool } from "../../../packages/core/test/servers.ts";
import type { Check } from "../harness.ts";
import { openScenario } from "../scenario.ts";
import { echo, failing, group, nested, say } from "./pipe-parts.ts";

/** What a pipe does when all goes well, and what its result looks like. */
export const pipeChecks = {
  "pipe/sequential": async (run) => {
    const { host, servers } = await openScenario({ web: { echo } });
    const { result } = await run({
      host,
      spec: {
        vars: { q: "tea" },
        steps: [
          say("a", `about \${vars.q}`),
          say("b", { $ref: "steps.a.structured" }),
          say("c", `\${last.structured.v.v}!`),
        ],
        return: { $ref: "steps.c.structured.v" },
      },
    });
    expect(result).toMatchObject({ ok: true, error: "", result: "about tea!" });
    expect(servers.web.seen.map((call) => call.arguments)).toEqual([
      { v: "about tea" },
      { v: { v: "about tea" } },
      { v: "about tea!" },
    ]);
  },

  "pipe/output-format": async (run) => {
    const { host } = await openScenario({ web: { echo } });
    const { result } = await run({
      host,
      spec: { steps: [say("t"), group("g", say("x")), nested("n", { steps: [say("y")] })] },
    });
    const common = {
      ok: true,
      error: "",
      started_at: expect.any(String),
      duration_ms: expect.any(Number),
    };
    const tool = (id: string) => ({
      ...common,
      id,
      kind: "tool",
      structured: { v: id },
      text: `{"v":"${id}"}`,
      hops: [expect.objectContaining({ tool: "echo" })],
    });
    expect(result).toEqual({
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

  "pipe/parallel": async (run) => {
    const { host } = await openScenario({ web: { echo } });
    const { result } = await run({
      host,
      spec: {
        steps: [
          say("a"),
          group("g", say("x", { $ref: "steps.a.structured.v" }), say("y", `\${last.text}`)),
          say("end", `\${steps.g.children.x.structured.v} \${steps.g.children.y.structured.v}`),
        ],
      },
    });
    expect(result).toMatchObject({ ok: true, result: { v: 'a {"v":"a"}' } });
  },

  "pipe/at-the-same-time": async (run) => {
    let waiting = 0;
    let release = () => {};
    const together = new Promise<void>((resolve) => {
      release = resolve;
    });
    const meet: TestTool = {
      answer: () => {
        if (++waiting === 4) release();
        return together.then(() => ({ content: [] }));
      },
    };
    const { host } = await openScenario({ web: { meet } });
    const children = [0, 1, 2, 3].map((at) => ({ id: `c${at}`, tool: "meet" }));
    const { result } = await run({ host, spec: { steps: [group("g", ...children)] } });
    expect(result.ok).toBe(true);
  },

  "pipe/nested": async (run) => {
    const { host } = await openScenario({ web: { echo } });
    const inner = {
      vars: { b: { $ref: "steps.a.structured.v" }, c: `\${vars.c}!` },
      steps: [say("x", `\${vars.a} \${vars.b} \${vars.c}`), say("y", `\${last.structured.v}.`)],
      return: { $ref: "steps.y.structured.v" },
    };
    const { result } = await run({
      host,
      spec: {
        vars: { a: 1, c: 3 },
        steps: [say("a", "out"), nested("n", inner), say("end", `<\${last.result}>`)],
        return: `\${steps.n.steps.x.structured.v} \${steps.end.structured.v}`,
      },
    });
    expect(result).toMatchObject({ ok: true, result: "1 out 3! <1 out 3!.>" });
  },

  "pipe/deep": async (run) => {
    const { host } = await openScenario({ web: { echo } });
    let spec: object = { vars: { d: 5 }, steps: [say("leaf", { $ref: "vars.d" })] };
    for (let level = 0; level < 5; level++) spec = { steps: [group("g", nested("n", spec))] };
    const { result } = await run({ host, spec });
    expect(result).toMatchObject({ ok: true, error: "" });
    expect(JSON.stringify(result.result)).toContain('{"v":5}');
  },

  "pipe/long": async (run) => {
    const { host, servers } = await openScenario({ web: { echo } });
    const steps = Array.from({ length: 50 }, (_, at) =>
      say(`s${at}`, at === 0 ? 0 : { $ref: `steps.s${at - 1}.structured.v` }),
    );
    const { result } = await run({ host, spec: { steps } });
    expect(result).toMatchObject({ ok: true, result: { v: 0 } });
    expect(servers.web.calls).toHaveLength(50);
  },

  "pipe/ids": async (run) => {
    const { host } = await openScenario({ web: { echo } });
    const ids = ["a b", "x:y|z", "__start__", "toString", "vars", "日本", "1", "a/b\\c", "return"];
    const { result } = await run({
      host,
      spec: { steps: [...ids.map((id) => say(id)), group("g", ...ids.map((id) => say(id)))] },
    });
    const { steps } = result as { steps: Record<string, { children?: object }> };
    expect(Object.keys(steps).sort()).toEqual([...ids, "g"].sort());
    expect(Object.keys(steps.g?.children ?? {}).sort()).toEqual([...ids].sort());
  },

  "pipe/input-forms": async (run) => {
    const { host } = await openScenario({ web: { echo } });
    const spec = { steps: [say("a")], return: { $ref: "steps.a.structured.v" } };
    const forms = [spec, JSON.stringify(spec), { spec }, { spec: JSON.stringify(spec) }];
    for (const form of forms) {
      expect((await run({ host, spec: form })).result).toMatchObject({ ok: true, result: "a" });
    }
  },

  "pipe/chain": async (run) => {
    const { host, servers } = await openScenario({
      web: { a: { answer: () => asking("echo", { v: 7 }) }, echo },
    });
    const { result } = await run({ host, spec: { steps: [{ id: "s", tool: "a" }] } });
    expect(servers.web.calls).toEqual(["a", "echo"]);
    expect(result).toMatchObject({
      result: { v: 7 },
      steps: { s: { structured: { v: 7 }, hops: [{ tool: "a" }, { tool: "echo" }] } },
    });
  },

  "pipe/parallel-limit": async (run) => {
    let inFlight = 0;
    let most = 0;
    const busy: TestTool = {
      answer: async () => {
        most = Math.max(most, ++inFlight);
        await new Promise(setImmediate);
        inFlight--;
        return { content: [] };
      },
    };
    const { host, servers } = await openScenario({ web: { busy } });
    const leaves = () => [0, 1, 2, 3, 4].map((at) => ({ id: `l${at}`, tool: "busy" }));
    const inner = nested("n", { steps: [group("g", ...leaves())] });
    const groups = [0, 1, 2, 3].map((at) => group(`g${at}`, ...leaves()));
    const { result } = await run({ host, spec: { steps: [group("all", inner, ...groups)] } });
    expect(result.ok).toBe(true);
    expect(servers.web.calls).toHaveLength(25);
    expect(most).toBe(8);
  },

  "pipe/recorded": async (run) => {
    const { host, events } = await openScenario({ web: { echo, bad: failing("no") } });
    await run({ host, spec: { steps: [group("g", say("x")), { id: "b", tool: "bad" }] } });
    const recorded = events.filter((event) => event.type === "call" && event.stage === "record");
    expect(recorded).toMatchObject([
      { tool: "web.echo", origin: { by: "pipe", path: "steps.g.children.x" }, isError: false },
      { tool: "web.bad", origin: { by: "pipe", path: "steps.b" }, isError: true },
    ]);
    const whole = events.filter((event) => event.type === "pipe");
    expect(whole).toMatchObject([{ stage: "started" }, { stage: "ended", ok: false, calls: 2 }]);
    const ids = [...recorded, ...whole].map((event) => "runId" in event && event.runId);
    expect(new Set(ids).size).toBe(1);
  },
} satisfies Record<string, Check<"pipe">>;
