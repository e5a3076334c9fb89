import { deepEqual, equal } from "node:assert/strict";
import { flow } from "@toolrail/pipe/flow";
import { contains, matches } from "../assertions.ts";
import type { MemoryTool } from "../memory-server.ts";
import type { Checks } from "../scenario.ts";
import { echo, nested, step } from "./results.ts";

const rows: MemoryTool = {
  answer: () => ({ content: [], structuredContent: { list: [{ n: 1 }, { n: 5 }, { n: 9 }] } }),
};
const list = { id: "rows", tool: "rows" };
const LIST = { $ref: "steps.rows.structured.list" };

function each(id: string, body: object, more: object = {}) {
  return { id, for_each: LIST, as: "row", do: body, ...more };
}

const REFUSED: readonly (readonly [string, unknown, string])[] = [
  ["a mistake", { steps: [{ ...step("a"), when: "1 >" }] }, "steps[0].when"],
  ["a later step", { steps: [{ ...step("a"), when: "steps.b.ok" }, step("b")] }, "steps[0].when"],
  ["no list", { steps: [{ id: "e", for_each: 1, do: { tool: "echo" } }] }, "steps[0].for_each"],
  ["a root's name", { steps: [list, each("e", { tool: "echo" }, { as: "vars" })] }, "steps[1].as"],
  ["no such function", { steps: [step("a", { $cel: "shout('a')" })] }, "steps[0].args.v"],
  ["an order", { order: "data", steps: [step("a")] }, "spec"],
];

/** Specs that no harness runs without `flow()`. */
const FLOWS: readonly object[] = [
  { steps: [{ ...step("a"), when: "true" }] },
  { steps: [{ id: "e", for_each: [1], do: { tool: "echo" } }] },
  { steps: [step("a", { $cel: "1 + 1" })] },
];

/** Checks of pipes that branch, repeat and compute. */
export const pipeFlowChecks = {
  "pipe/when": async (run, open) => {
    const { host, servers } = await open({ web: { echo } });
    const { result } = await run({
      host,
      flow: flow(),
      spec: {
        steps: [
          step("a", 3),
          { ...step("b"), when: "steps.a.structured.v > 5" },
          { ...nested("c", { steps: [step("x")] }), when: "steps.b.skipped" },
        ],
        return: { $cel: "has(steps.b.structured) ? 'b' : steps.c.result.v" },
      },
    });
    matches(result, { ok: true, result: "x", steps: { b: { ok: true, skipped: true, hops: [] } } });
    matches(result, { steps: { c: { skipped: false } } });
    equal(servers.web.calls.length, 2);
  },

  "pipe/skipped-reference": async (run, open) => {
    const { host, servers } = await open({ web: { echo } });
    const steps = [{ ...step("a"), when: "false" }, step("b", { $ref: "steps.a.structured.v" })];
    const { result } = await run({ host, flow: flow(), spec: { steps } });
    matches(result, { ok: false, error: /^steps\.b: .*was skipped/ });
    deepEqual(servers.web.calls, []);
  },

  "pipe/for-each": async (run, open) => {
    const { host, servers } = await open({ web: { rows, echo } });
    const loop = each("e", { tool: "echo", args: { v: "n${row.n}" } });
    const spec = { steps: [list, loop], return: { $ref: "steps.e.items.2.structured.v" } };
    const { result } = await run({ host, flow: flow(), spec });
    matches(result, { ok: true, result: "n9", steps: { e: { kind: "for_each" } } });
    const { e } = result.steps as { e: { items: { id: string; structured: { v: string } }[] } };
    deepEqual(
      e.items.map(({ id, structured }) => [id, structured.v]),
      [
        ["0", "n1"],
        ["1", "n5"],
        ["2", "n9"],
      ],
    );
    equal(servers.web.calls.length, 4);
  },

  "pipe/for-each-pipe": async (run, open) => {
    const { host } = await open({ web: { rows, echo } });
    const inner = {
      vars: { twice: { $cel: "row.n * 2" } },
      steps: [step("x", "${row.n}/${vars.twice}")],
      return: { $ref: "last.structured.v" },
    };
    const { result } = await run({
      host,
      flow: flow(),
      spec: { steps: [list, each("e", { pipe: inner })] },
    });
    matches(result, { ok: true });
    deepEqual(result.result, ["1/2", "5/10", "9/18"]);
  },

  "pipe/for-each-checked": async (run, open) => {
    const inputSchema = { type: "object", properties: { n: { type: "number", maximum: 8 } } };
    const { host, servers } = await open({ web: { rows, n: { definition: { inputSchema } } } });
    const loop = each("e", { tool: "n", args: { n: { $ref: "row.n" } } });
    const { result } = await run({ host, flow: flow(), spec: { steps: [list, loop] } });
    matches(result, { ok: false, error: /^steps\.e\.items\.2: .*must be <= 8/ });
    deepEqual(servers.web.calls, ["rows"]);
  },

  "pipe/for-each-fails": async (run, open) => {
    const picky: MemoryTool = {
      answer: ({ arguments: { n } }) => ({
        content: [],
        structuredContent: { n },
        isError: n === 5,
      }),
    };
    const { host, servers } = await open({ web: { rows, picky, echo } });
    const loop = each("e", { tool: "picky", args: { n: { $ref: "row.n" } } });
    const { result } = await run({
      host,
      flow: flow(),
      spec: { steps: [list, loop, step("z")] },
    });
    matches(result, { ok: false, error: /^steps\.e\.items\.1: / });
    matches(result.steps, { e: { items: [{ ok: true }, { ok: false }, { ok: true }] } });
    deepEqual(servers.web.calls, ["rows", "picky", "picky", "picky"]);
  },

  "pipe/too-many-items": async (run, open) => {
    const { host, servers } = await open({ web: { rows, echo } });
    const loop = each("e", { tool: "echo" }, { max_items: 2 });
    const { result } = await run({ host, flow: flow(), spec: { steps: [list, loop] } });
    matches(result, { ok: false, error: /^steps\.e: .* 3 items; at most 2/ });
    deepEqual(servers.web.calls, ["rows"]);
  },

  "pipe/expression": async (run, open) => {
    const { host } = await open({ web: { rows, echo } });
    const $cel = "steps.rows.structured.list.filter(r, r.n > vars.least).map(r, r.n + 1)";
    const spec = {
      vars: { least: 1 },
      steps: [list, step("a", { $cel })],
      return: { $cel: "size(last.structured.v)" },
    };
    const { result } = await run({ host, flow: flow(), spec });
    matches(result, { ok: true, result: 2 });
    matches(result.steps, { a: { structured: { v: [6, 10] } } });
  },

  "pipe/flow-refused": async (run, open) => {
    for (const [what, spec, path] of REFUSED) {
      const { host, servers } = await open({ web: { echo, rows } });
      const { result } = await run({ host, flow: flow(), spec });
      deepEqual(servers.web.calls, [], what);
      matches(result, { ok: false, result: null, steps: {} }, what);
      contains(String(result.error), `${path}: `);
    }
  },
  "pipe/flow-off": async (run, open) => {
    const plain = { steps: [step("a")] };
    for (const spec of FLOWS) {
      const { host, servers } = await open({ web: { echo } });
      const { result } = await run({ host, spec });
      deepEqual(servers.web.calls, []);
      matches(result, { ok: false, steps: {} });
      contains(String(result.error), "when, for_each and $cel are switched off here");
      matches((await run({ host, spec: plain })).result, { ok: true });
    }
  },
} satisfies Checks<"pipe">;
