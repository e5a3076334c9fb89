import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import { checkPipe, parsePipe, runPipe } from "../../src/pipe/index.ts";
import { echo, openPipeHost } from "./pipe-scenario.ts";

const TEXT = '{"steps":[{"id":"a","tool":"echo","args":{"v":1}}]}';

class Spec {
  readonly steps = [new Step()];
}

class Step {
  readonly id = "a";
  readonly tool = "echo";
  readonly args = { v: 1 };
}

describe("a spec", () => {
  it.each([
    ["an instance of a class", new Spec()],
    ["an object of another realm", runInNewContext(`(${TEXT})`)],
    ["an object of another realm under spec", runInNewContext(`({spec: ${TEXT}})`)],
    ["an object without a prototype", Object.assign(Object.create(null), JSON.parse(TEXT))],
    ["steps of a class", { steps: [new Step()] }],
    ["text that begins with a byte order mark", `\uFEFF${TEXT}`],
    ["such text under spec", { spec: `\uFEFF${TEXT}` }],
    ["an object beside a spec that is not there", { spec: undefined, ...JSON.parse(TEXT) }],
    ["a step with kinds that are not there", { steps: [{ ...new Step(), pipe: undefined }] }],
  ])("A spec given as %s runs every step.", async (_form, spec) => {
    const { host, web } = await openPipeHost({ echo });
    expect(await runPipe(host, { spec })).toMatchObject({ ok: true, result: { v: 1 } });
    expect(web.calls).toEqual(["echo"]);
  });

  it.each([
    ["NaN", '{"steps":[{"id":"a","tool":"echo","args":{"v":NaN}}]}', /not JSON/],
    [
      "a number that JSON cannot write",
      { steps: [{ id: "a", tool: "echo", args: { v: NaN } }] },
      /number/,
    ],
    ["a function", { steps: [{ id: "a", tool: "echo", args: { v: () => 1 } }] }, /function/],
  ])("A spec with %s is refused.", async (_what, spec, message) => {
    const { host } = await openPipeHost({ echo });
    expect(checkPipe(host, { spec })).toMatchObject({
      ok: false,
      problems: [{ path: "spec", message: expect.stringMatching(message) }],
    });
  });

  it("A spec that holds itself is refused.", async () => {
    const { host } = await openPipeHost({ echo });
    const spec = { steps: [] as object[] };
    spec.steps.push({ id: "n", pipe: spec });
    expect(checkPipe(host, { spec })).toMatchObject({ ok: false });
  });

  it("A spec runs as it was checked, whatever becomes of the object.", async () => {
    const { host, web } = await openPipeHost({ echo });
    const spec = { steps: [{ id: "a", tool: "echo", args: { v: [1] } }] };
    const pipe = parsePipe(host, { spec });
    spec.steps[0]?.args.v.push(2);
    expect(await runPipe(host, { spec: pipe })).toMatchObject({ ok: true, result: { v: [1] } });
    expect(web.calls).toEqual(["echo"]);
  });

  it("A spec with names of a megabyte is refused in a few lines.", async () => {
    const { host } = await openPipeHost({ echo });
    const name = "x".repeat(1_000_000);
    for (const spec of [
      { steps: [{ id: "a", tool: name }] },
      {
        steps: [
          { id: name, tool: "no" },
          { id: name, tool: "no" },
        ],
      },
      { [name]: 1, steps: [{ id: "a", tool: "echo", args: { [name]: { $ref: name } } }] },
    ]) {
      const verdict = checkPipe(host, { spec });
      expect(verdict.ok).toBe(false);
      expect(JSON.stringify(verdict).length).toBeLessThan(8_000);
    }
  });
});
