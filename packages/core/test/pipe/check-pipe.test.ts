import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkPipe, type PipeProblem, parsePipe } from "../../src/pipe/index.ts";
import { echo, openPipeHost } from "./pipe-scenario.ts";

const NUMBER = {
  definition: {
    inputSchema: {
      type: "object",
      properties: { n: { type: "number" }, m: { type: "number" } },
      required: ["n"],
      additionalProperties: false,
    },
  },
};
const TOOLS = {
  echo,
  number: NUMBER,
  mcp_pipe: {},
  widget: { definition: { _meta: { ui: { visibility: ["app"] } } } },
};
const STEP = { id: "a", tool: "echo" };

async function problemsOf(spec: unknown, options = {}): Promise<readonly PipeProblem[]> {
  const { host, web } = await openPipeHost(TOOLS);
  const verdict = checkPipe(host, { spec, ...options });
  expect(web.calls).toEqual([]);
  return verdict.ok ? [] : verdict.problems;
}

function nest(levels: number): object {
  return levels === 0 ? { steps: [STEP] } : { steps: [{ id: "inner", pipe: nest(levels - 1) }] };
}

function groups(levels: number): object {
  return levels === 0 ? STEP : { id: "g", parallel: [groups(levels - 1)] };
}

describe("a spec", () => {
  it.each<[string, unknown, PipeProblem]>([
    ["steps", { steps: {} }, { path: "steps", message: "must be a list" }],
    [
      "an id",
      { steps: [{ id: 1, tool: "echo" }] },
      { path: "steps[0].id", message: "must be a text" },
    ],
  ])("One problem is reported for %s of the wrong kind.", async (_what, spec, problem) => {
    expect(await problemsOf(spec)).toEqual([problem]);
  });

  it.each<[string, unknown, string, RegExp]>([
    ["nothing", undefined, "spec", /must be an object/],
    ["a list", [], "spec", /must be an object/],
    ["spec and more beside it", { spec: {}, steps: [] }, "spec", /one or the other/],
    ["no steps", {}, "steps", /is missing/],
    ["a step that is no object", { steps: ["echo"] }, "steps[0]", /must be an object/],
    ["a step without a kind", { steps: [{ id: "a" }] }, "steps[0]", /no kind/],
    [
      "an unknown key",
      { steps: [{ ...STEP, arguments: {} }] },
      "steps[0]",
      /Use one of id, tool, args/,
    ],
    ["an input", { steps: [{ ...STEP, input: {} }] }, "steps[0]", /Use one of id, tool, args/],
    [
      "two kinds",
      { steps: [{ ...STEP, pipe: {} }] },
      "steps[0]",
      /tool and pipe; write exactly one/,
    ],
    [
      "continueOnError",
      { steps: [{ id: "n", pipe: { steps: [STEP], continueOnError: true } }] },
      "steps[0].pipe",
      /continue_on_error/,
    ],
    [
      "continue_on_error in words",
      { steps: [STEP], continue_on_error: "no" },
      "continue_on_error",
      /true or false/,
    ],
    ["an empty list", { steps: [{ id: "g", parallel: [] }] }, "steps[0].parallel", /at least one/],
    ["an unknown key at the top", { steps: [STEP], foo: 1 }, "spec", /unknown key "foo"/],
    ["args that are no object", { steps: [{ ...STEP, args: [] }] }, "steps[0].args", /object/],
    ["an empty id", { steps: [{ ...STEP, id: "" }] }, "steps[0].id", /empty/],
    ["a blank id", { steps: [{ ...STEP, id: " " }] }, "steps[0].id", /blank/],
    ["no id", { steps: [{ tool: "echo" }] }, "steps[0].id", /is missing/],
    [
      "two kinds, of which one could stand alone",
      { steps: [{ ...STEP, parallel: {} }] },
      "steps[0]",
      /has tool and parallel/,
    ],
    [
      "a repeated id in a group",
      { steps: [{ id: "g", parallel: [STEP, STEP] }] },
      "steps[0].parallel[1].id",
      /twice/,
    ],
    [
      "direct recursion by full name",
      { steps: [{ id: "a", tool: "web.mcp_pipe" }] },
      "steps[0].tool",
      /itself/,
    ],
    [
      "six groups in a group",
      { steps: [groups(7)] },
      `steps[0]${".parallel[0]".repeat(6)}.parallel`,
      /6 levels/,
    ],
    ["the step itself", refer("steps.b.text"), "steps[1].args.v", /earlier steps only/],
    ["an unknown var", refer("vars.q"), "steps[1].args.v", /"vars" has no "q"; it has no keys/],
    [
      "an unknown field",
      refer("steps.a.output"),
      "steps[1].args.v",
      /has no "output"; it has .*structured, text$/,
    ],
    [
      "a part of a text",
      refer("steps.a.text.0"),
      "steps[1].args.v",
      /"steps.a.text" has no "0"; it is a string/,
    ],
    [
      "a child of no group",
      refer("steps.a.children.x"),
      "steps[1].args.v",
      /has no "children"; it has .*text/,
    ],
    [
      "a text that opens a reference",
      { steps: [{ ...STEP, args: { v: "a $" + "{" } }] },
      "steps[0].args.v",
      /close \$ and \{ with \}/,
    ],
    ["an unknown root", refer("env.KEY"), "steps[1].args.v", /must begin with/],
    [
      "a reference as a text",
      { steps: [{ ...STEP, args: { q: "$ref: vars.q" } }] },
      "steps[0].args.q",
      /write \{"\$ref"/,
    ],
    [
      "a reference in the form of another language",
      { steps: [{ ...STEP, args: { q: "Hi {{steps.a.text}}" } }] },
      "steps[0].args.q",
      /write \{"\$ref"/,
    ],
    [
      "a reference in capitals",
      { steps: [{ ...STEP, args: { q: { $REF: "vars.q" } } }] },
      "steps[0].args.q",
      /write \{"\$ref"/,
    ],
    [
      "last at the start",
      { steps: [{ ...STEP, args: { v: { $ref: "last" } } }] },
      "steps[0].args.v",
      /no step before/,
    ],
    [
      "a miss in vars",
      { vars: { a: { b: 1 } }, steps: [{ ...STEP, args: { v: `\${vars.a.c}` } }] },
      "steps[0].args.v",
      /"vars.a" has no "c"; it has b/,
    ],
    [
      "a sibling",
      {
        steps: [
          { id: "g", parallel: [STEP, { id: "b", tool: "echo", args: { v: `\${steps.a.text}` } }] },
        ],
      },
      "steps[0].parallel[1].args.v",
      /earlier steps only/,
    ],
    [
      "a step around a nested pipe",
      {
        steps: [
          STEP,
          {
            id: "n",
            pipe: { steps: [{ id: "b", tool: "echo", args: { v: `\${steps.a.text}` } }] },
          },
        ],
      },
      "steps[1].pipe.steps[0].args.v",
      /"steps" has no "a"/,
    ],
    [
      "an id __proto__",
      JSON.parse('{"steps":[{"id":"__proto__","tool":"echo"}]}'),
      "steps[0].id",
      /not allowed/,
    ],
    [
      "a key __proto__",
      JSON.parse('{"steps":[{"id":"a","tool":"echo","args":{"x":{"__proto__":1}}}]}'),
      "spec",
      /contains the key __proto__/,
    ],
    [
      "an argument of 10 MB",
      { steps: [{ ...STEP, args: { v: "x".repeat(10_000_000) } }] },
      "steps[0].args",
      /larger than/,
    ],
    [
      "missing arguments",
      { steps: [{ id: "a", tool: "number" }] },
      "steps[0].args",
      /required property 'n'/,
    ],
    [
      "a wrong type",
      { steps: [{ id: "a", tool: "number", args: { n: "1" } }] },
      "steps[0].args",
      /must be number/,
    ],
    [
      "missing arguments beside a reference",
      { vars: { m: 1 }, steps: [{ id: "a", tool: "number", args: { m: { $ref: "vars.m" } } }] },
      "steps[0].args",
      /also needs n/,
    ],
    [
      "unknown arguments beside a reference",
      {
        vars: { n: 1 },
        steps: [{ id: "a", tool: "number", args: { n: { $ref: "vars.n" }, x: 1 } }],
      },
      "steps[0].args",
      /takes no x; it takes n, m/,
    ],
  ])("A spec with %s is refused at its place.", async (_what, spec, path, message) => {
    const problems = await problemsOf(spec);
    expect(problems.map((problem) => problem.path)).toContain(path);
    expect(problems.find((problem) => problem.path === path)?.message).toMatch(message);
  });

  it("A spec of five levels and 50 steps is taken.", async () => {
    expect(await problemsOf(nest(5))).toEqual([]);
    expect(await problemsOf({ steps: [groups(6)] })).toEqual([]);
    const steps = Array.from({ length: 50 }, (_, at) => ({ id: `s${at}`, tool: "echo" }));
    expect(await problemsOf({ steps })).toEqual([]);
  });

  it("All problems of its shape are found at once, and then all of its steps.", async () => {
    const paths = async (spec: object) => (await problemsOf(spec)).map(({ path }) => path);
    const shapeless = [
      { id: "", tool: "echo" },
      { id: "b", tool: "no" },
      { id: "c", tool: "echo", parallel: [] },
      { id: "n", pipe: { steps: [{ id: "z" }] } },
    ];
    expect(await paths({ steps: shapeless })).toEqual([
      "steps[0].id",
      "steps[2]",
      "steps[3].pipe.steps[0]",
    ]);
    const wrong = [
      { id: "b", tool: "no", args: { v: `\${steps.x.text}` } },
      { id: "n", pipe: { steps: [{ id: "z", tool: "nope" }] } },
    ];
    expect(await paths({ steps: wrong, return: { $ref: "steps.missing" } })).toEqual([
      "steps[0].args.v",
      "steps[0].tool",
      "steps[1].pipe.steps[0].tool",
      "return",
    ]);
  });

  it("A spec by a model may not name tools of the application.", async () => {
    const spec = { steps: [{ id: "a", tool: "widget" }] };
    expect(await problemsOf(spec)).toEqual([]);
    const [problem] = await problemsOf(spec, { author: "model" });
    expect(problem).toMatchObject({
      path: "steps[0].tool",
      message: expect.stringMatching(/only for the application/),
    });
  });

  it("A refused spec throws one error with every problem.", async () => {
    const { host } = await openPipeHost(TOOLS);
    expect(() => parsePipe(host, { spec: { steps: [{ id: "a", tool: "no" }] } })).toThrow(
      expect.objectContaining({
        code: "invalid-pipe",
        message: expect.stringContaining("steps[0].tool"),
        data: { problems: [expect.objectContaining({ path: "steps[0].tool" })] },
      }),
    );
  });

  it("A spec of 100,000 levels is refused and is no crash.", async () => {
    const text = `{"steps":${"[".repeat(100_000)}${"]".repeat(100_000)}}`;
    expect(await problemsOf(text)).toMatchObject([
      { path: "spec", message: expect.stringMatching(/deeper than/) },
    ]);
  });

  it("Any JSON is checked without throwing, and without a call.", async () => {
    const { host, web } = await openPipeHost(TOOLS);
    const word = fc.constantFrom(
      "id",
      "tool",
      "parallel",
      "pipe",
      "steps",
      "args",
      "echo",
      "$ref",
      "vars",
      "return",
      "last.text",
    );
    const json = fc.letrec((tie) => ({
      value: fc.oneof(
        { depthSize: "medium" },
        word,
        fc.jsonValue(),
        fc.array(tie("value"), { maxLength: 3 }),
        fc.dictionary(word, tie("value"), { maxKeys: 4 }),
      ),
    })).value;
    fc.assert(
      fc.property(json, (value) => {
        expect(typeof checkPipe(host, { spec: value }).ok).toBe("boolean");
        expect(typeof checkPipe(host, { spec: { steps: value } }).ok).toBe("boolean");
      }),
    );
    expect(web.calls).toEqual([]);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });
});

function refer(path: string): object {
  return {
    steps: [
      STEP,
      { id: "b", tool: "echo", args: { v: { $ref: path } } },
      { id: "c", tool: "echo" },
    ],
  };
}
