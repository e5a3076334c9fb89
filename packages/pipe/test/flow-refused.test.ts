import { describe, expect, it } from "vitest";
import type { TestTool } from "../../core/test/servers.ts";
import { flow } from "../src/flow/index.ts";
import { checkPipe, runPipe } from "../src/index.ts";
import { echo, openPipeHost, say } from "./pipe-scenario.ts";

const each = (more: object = {}) => ({ id: "e", for_each: [1], do: { tool: "echo" }, ...more });
const when = (text: unknown) => ({ steps: [say("a"), { ...say("b"), when: text }] });

describe("a spec that branches or repeats", () => {
  it.each<[string, object, string, RegExp]>([
    ["an order", { order: "data", steps: [say("a")] }, "spec", /"order" is unknown/],
    [
      "after",
      { steps: [say("a"), { ...say("b"), after: ["a"] }] },
      "steps[1]",
      /"after" is unknown/,
    ],
    ["a condition that is no text", when(true), "steps[1].when", /./],
    ["an empty condition", when(""), "steps[1].when", /empty/],
    ["a condition with a mistake", when("vars.a >"), "steps[1].when", /at character 9/],
    ["an unknown root", when("page.url == 1"), "steps[1].when", /page/],
    ["an unknown function", when("shout(vars) == 1"), "steps[1].when", /shout/],
    ["an unknown step", when("steps.z.ok"), "steps[1].when", /no "z"/],
    ["a later step", when("steps.b.ok"), "steps[1].when", /has not run by then/],
    ["steps without a name", when("size(steps) > 1"), "steps[1].when", /names the step/],
    ["a step by a computed name", when("steps[vars.a].ok"), "steps[1].when", /names the step/],
    ["no do", { steps: [{ id: "e", for_each: [1] }] }, "steps[0].do", /must be an object/],
    ["an empty do", { steps: [each({ do: {} })] }, "steps[0].do", /no kind/],
    [
      "a loop in do",
      { steps: [each({ do: { for_each: [1], do: {} } })] },
      "steps[0].do",
      /no kind/,
    ],
    [
      "an id in do",
      { steps: [each({ do: { id: "x", tool: "echo" } })] },
      "steps[0].do",
      /"id" is unknown/,
    ],
    ["no list", { steps: [each({ for_each: "abc" })] }, "steps[0].for_each", /must be a list/],
    [
      "10,000 items",
      { steps: [each({ for_each: Array(10_000).fill(1) })] },
      "steps[0].for_each",
      /10000 items; at most 20/,
    ],
    ["max_items of 0", { steps: [each({ max_items: 0 })] }, "steps[0].max_items", /at least 1/],
    ["a root's name", { steps: [each({ as: "steps" })] }, "steps[0].as", /means something else/],
    ["a name with a point", { steps: [each({ as: "a.b" })] }, "steps[0].as", /cannot be used/],
    [
      "an item outside",
      { steps: [each(), say("z", "${item}")] },
      "steps[1].args.v",
      /must begin with/,
    ],
    [
      "a loop's name again",
      { steps: [each({ do: { pipe: { steps: [each()] } } })] },
      "steps[0].do.pipe.steps[0].as",
      /means something else/,
    ],
    ["an unknown tool", { steps: [each({ do: { tool: "no" } })] }, "steps[0].do.tool", /./],
    [
      "$cel that is no text",
      { steps: [say("a", { $cel: 1 })] },
      "steps[0].args.v",
      /must be a string/,
    ],
    [
      "a loop over loops",
      { steps: [say("a", { $cel: "[1].map(a, [1].map(b, [1].map(c, [1].map(d, d))))" })] },
      "steps[0].args.v",
      /loops/,
    ],
  ])("%s is refused before any call, with the place.", async (_, spec, path, message) => {
    const { host, web } = await openPipeHost({ echo });
    const result = await runPipe(host, { flow: flow(), spec });
    expect(result).toMatchObject({ ok: false, steps: {} });
    expect(result.problems?.map((problem) => problem.path)).toContain(path);
    expect(result.problems?.find((problem) => problem.path === path)?.message).toMatch(message);
    expect(web.calls).toEqual([]);
  });

  it("An expression that never comes to an end in its budget fails its step alone.", async () => {
    const { host, web } = await openPipeHost({ echo });
    const items =
      "[0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29]";
    const $cel = `${items}.map(a, ${items}.map(b, ${items}.map(c, a + b + c)))`;
    const spec = { steps: [say("a", { $cel }), say("b")], continue_on_error: true };
    const { error, steps } = await runPipe(host, { flow: flow(), spec });
    expect(error).toMatch(/^steps\.a: \$cel: .*20,000 steps/);
    expect(steps.b).toMatchObject({ ok: true });
    expect(web.calls).toEqual(["echo"]);
  });

  it("Without flow() each of its keys is refused with a sentence that says so, and a plain spec is not.", async () => {
    const { host, web } = await openPipeHost({ echo });
    const used: [object, string][] = [
      [when("true"), "steps[1].when"],
      [{ steps: [each()] }, "steps[0].for_each"],
      [{ steps: [say("a", { $cel: "1" })] }, "steps[0].args.v"],
      [{ steps: [say("a")], return: { $cel: "1" } }, "return"],
    ];
    for (const [spec, path] of used) {
      const { ok, problems } = await runPipe(host, { spec });
      const message = expect.stringContaining("when, for_each and $cel are switched off here");
      expect({ ok, problems }).toEqual({ ok: false, problems: [{ path, message }] });
      expect(checkPipe(host, { spec, flow: flow() }).ok).toBe(true);
    }
    expect(web.calls).toEqual([]);
    expect(checkPipe(host, { spec: { steps: [say("a")] } }).ok).toBe(true);
  });
});

describe("an expression over what is for the user alone", () => {
  const bank: TestTool = {
    answer: () => ({
      content: [{ type: "text", text: "PIN 1234", annotations: { audience: ["user"] } }],
      structuredContent: { pin: "1234", rows: [1, 2] },
    }),
  };
  const secret = { id: "s", tool: "bank" };
  const nested = (vars: object, step: object) => ({ id: "n", pipe: { vars, steps: [step] } });

  it.each<[string, object]>([
    ["a value", say("a", { $cel: "steps.s.structured.pin == '1234'" })],
    ["a condition", { ...say("a"), when: "steps.s.structured.pin.startsWith('1')" }],
    ["its text", { ...say("a"), when: "size(steps.s.text) > 3" }],
    ["a list", each({ for_each: { $ref: "steps.s.structured.rows" } })],
    ["a list by an expression", each({ for_each: { $cel: "steps.s.structured.rows" } })],
    [
      "vars that it was handed to",
      nested({ p: { $ref: "steps.s.structured.pin" } }, { ...say("a"), when: "vars.p == '1234'" }),
    ],
    [
      "a text of vars",
      nested({ p: "<${steps.s.text}>" }, { ...say("a"), when: "vars.p == '<PIN 1234>'" }),
    ],
    [
      "an item",
      each({
        for_each: [{ $ref: "steps.s.structured.pin" }],
        do: { pipe: { steps: [{ ...say("a"), when: "item == '1234'" }] } },
      }),
    ],
    [
      "the result of a pipe that returns vars",
      {
        id: "n",
        pipe: {
          vars: { p: { $ref: "steps.s.structured.pin" } },
          steps: [
            { id: "m", pipe: { steps: [say("x")], return: { $ref: "vars.p" } } },
            { ...say("a"), when: "steps.m.result == '1234'" },
          ],
        },
      },
    ],
  ])("In a model's pipe %s reveals nothing of it.", async (_, step) => {
    const { host, web } = await openPipeHost({ echo, bank });
    const result = await runPipe(host, {
      flow: flow(),
      spec: { steps: [secret, step] },
      author: "model",
    });
    const calls = JSON.stringify(web.seen.filter(({ name }) => name === "echo"));
    expect(calls).not.toContain("true");
    expect(JSON.stringify(web.seen)).not.toContain('"v":"a"');
    expect(result.error).not.toContain("$ref");
    expect(result.result_for_model ?? result.result ?? "").not.toContain?.("1234");
  });

  it("A model's pipe does not learn from a defect of an item's arguments what is wrong with it.", async () => {
    const inputSchema = { type: "object", properties: { v: { enum: ["5678"] } } };
    const { host } = await openPipeHost({ bank, pay: { definition: { inputSchema } } });
    const args = { v: { $ref: "steps.s.structured.pin" } };
    const step = each({ for_each: [1], do: { tool: "pay", args } });
    const spec = { steps: [secret, step] };
    const { error } = await runPipe(host, { flow: flow(), spec, author: "model" });
    expect(error).toContain("this message must not say what is wrong");
    expect(error).not.toContain("5678");
  });

  it("A model's pipe passes it on by $ref, even item by item of a list that it wrote.", async () => {
    const { host, web } = await openPipeHost({ echo, bank });
    const step = each({
      for_each: [{ $ref: "steps.s.structured.pin" }],
      do: { tool: "echo", args: { v: { $ref: "item" } } },
    });
    const result = await runPipe(host, {
      flow: flow(),
      spec: { steps: [secret, step] },
      author: "model",
    });
    expect(result.ok).toBe(true);
    expect(web.seen.at(-1)?.arguments).toEqual({ v: "1234" });
  });

  it("The application's own pipe may loop over it, and a model reads no item.", async () => {
    const { host, web } = await openPipeHost({ echo, bank });
    const list = { for_each: { $ref: "steps.s.structured.rows" }, as: "row" };
    const step = { id: "e", ...list, do: { tool: "echo", args: { v: "row ${row}" } } };
    const spec = { steps: [secret, step], return: { $ref: "steps.e" } };
    const end = await runPipe(host, { flow: flow(), spec });
    expect(web.seen.slice(1).map((call) => call.arguments)).toEqual([
      { v: "row 1" },
      { v: "row 2" },
    ]);
    expect(JSON.stringify(end.result)).toContain("row 1");
    expect(end.result_for_model).toBeDefined();
    expect(JSON.stringify(end.result_for_model)).not.toContain("row 1");
  });

  it("The application's own pipe may decide by it, and a model reads none of it.", async () => {
    const { host } = await openPipeHost({ echo, bank });
    const steps = [secret, { ...say("a"), when: "steps.s.structured.pin == '1234'" }];
    const spec = {
      steps,
      return: { a: { $ref: "steps.a.structured.v" }, p: { $cel: "steps.s.structured.pin + '!'" } },
    };
    expect(await runPipe(host, { flow: flow(), spec })).toMatchObject({
      result: { a: "a", p: "1234!" },
      result_for_model: { a: "a", p: "(for the user alone)" },
    });
  });
});
