import { describe, expect, it, onTestFinished, vi } from "vitest";
import { checkPipe, runPipe } from "../../src/pipe/index.ts";
import type { TestTool } from "../servers.ts";
import { echo, openPipeHost, say } from "./pipe-scenario.ts";

const write = (text: string): TestTool => ({
  answer: () => ({ content: [{ type: "text", text }] }),
});
const ROWS = { id: "a1", rows: [{ n: 1 }, { n: 5 }] };
const rows = write(JSON.stringify(ROWS));
const list = { id: "list", tool: "rows" };

/** What the step `b` reads, or the error of the pipe. */
async function read(value: unknown, tools: Record<string, TestTool> = { rows }) {
  const { host } = await openPipeHost({ echo, ...tools });
  const spec = { steps: [list, say("b", value)], return: { $ref: "steps.b.structured.v" } };
  const { ok, error, result } = await runPipe(host, { spec });
  return ok ? result : error;
}

describe("The JSON that the text of a step is", () => {
  it.each<[unknown, unknown]>([
    [{ $ref: "steps.list.json" }, ROWS],
    [{ $ref: "steps.list.json.rows.1.n" }, 5],
    [{ $ref: "last.json.rows" }, ROWS.rows],
    ["${steps.list.json.id}: ${last.json.rows}", `a1: ${JSON.stringify(ROWS.rows)}`],
  ])("is read by %j.", async (value, expected) => {
    expect(await read(value)).toEqual(expected);
  });

  it("is read inside groups and nested pipes too.", async () => {
    const { host } = await openPipeHost({ echo, rows });
    const steps = [
      { id: "g", parallel: [list] },
      { id: "n", pipe: { steps: [list] } },
      say("a", "${steps.g.children.list.json.id} ${steps.n.steps.list.json.rows.1.n}"),
      say("b", { $ref: "steps.a.json.v" }),
    ];
    expect(await runPipe(host, { spec: { steps } })).toMatchObject({
      ok: true,
      result: { v: "a1 5" },
    });
  });

  it("is not read if it is for the user alone, and the error says why.", async () => {
    const annotations = { audience: ["user"] };
    const answer = () => ({ content: [{ type: "text", text: JSON.stringify(ROWS), annotations }] });
    const error = await read({ $ref: "steps.list.json.id" }, { rows: { answer } });
    expect(error).toMatch(/steps\.list\.json\.id.*for the user alone/);
  });

  it("is parsed once, however many references read it.", async () => {
    const parse = vi.spyOn(JSON, "parse");
    onTestFinished(() => parse.mockRestore());
    const many = Array.from({ length: 20 }, () => ({ $ref: "steps.list.json.id" }));
    expect(await read(many)).toEqual(many.map(() => "a1"));
    const texts = parse.mock.calls.filter(([text]) => text === JSON.stringify(ROWS));
    expect(texts).toHaveLength(1);
  });

  it("is no part of a step that is passed on as a whole, nor of the result.", async () => {
    const step = await read({ $ref: "steps.list" });
    expect(step).toMatchObject({ text: JSON.stringify(ROWS) });
    expect(step).not.toHaveProperty("json");
    expect(await read({ $ref: "steps" })).not.toHaveProperty("list.json");
  });

  it("is known before the run, and may have any members.", async () => {
    const { host } = await openPipeHost({ echo, rows });
    const isFine = (value: unknown) =>
      checkPipe(host, { spec: { steps: [list, say("b", value)] } }).ok;
    expect(isFine({ $ref: "steps.list.json.some.3.thing" })).toBe(true);
    expect(isFine({ $ref: "steps.list.jsn.some" })).toBe(false);
    expect(isFine({ $ref: "steps.list.json.__proto__.x" })).toBe(false);
  });

  it.each<[string, string, string]>([
    ["words", "Found 3 rows", "the text is not JSON"],
    ["nothing", "", "the text is not JSON"],
    ["words before JSON", `Found: ${JSON.stringify(ROWS)}`, "the text is not JSON"],
    ["too deep", `${"[".repeat(65)}${"]".repeat(65)}`, "nested deeper than 64 levels"],
    ["far too deep", `${"[".repeat(100_000)}${"]".repeat(100_000)}`, "the text "],
    ["a prototype", '{"id":{"__proto__":{"admin":true}}}', "contains the key __proto__"],
    ["a constructor", '{"constructor":{"prototype":{}}}', "contains the key prototype"],
  ])("is an error that says so for a text of %s.", async (_, text, reason) => {
    const tools = { rows: write(text) };
    expect(await read({ $ref: "steps.list.json.id" }, tools)).toMatch(
      new RegExp(`^steps.b: "steps.list.json.id" cannot be read: .*${reason}`),
    );
    expect(await read("${last.json}", tools)).toContain(reason);
    expect(({} as Record<string, unknown>).admin).toBeUndefined();
  });

  it("takes the last of two equal keys, and reads no inherited member.", async () => {
    const tools = { rows: write('{"id":1,"id":2}') };
    expect(await read({ $ref: "steps.list.json.id" }, tools)).toBe(2);
    expect(await read({ $ref: "steps.list.json.toString" }, tools)).toContain('has no "toString"');
  });

  it("is bounded in size.", async () => {
    const big = { rows: write(JSON.stringify({ id: 7, pad: "x".repeat(4_194_200) })) };
    const options = { limits: { maxResultBytes: 16_777_216 } };
    const { host } = await openPipeHost({ echo, ...big }, options);
    const run = async (value: unknown) => {
      const spec = { steps: [list, say("b", value)], return: { $ref: "steps.b.structured.v" } };
      const limits = { maxKeptBytes: 33_554_432 };
      const { ok, error, result } = await runPipe(host, { spec, limits });
      return ok ? result : error;
    };
    expect(await run({ $ref: "steps.list.json.id" })).toBe(7);
    const bigger = await openPipeHost({ echo, rows: write(`"${"x".repeat(4_194_304)}"`) }, options);
    const spec = { steps: [list], return: { $ref: "steps.list.json" } };
    const { error } = await runPipe(bigger.host, { spec, limits: { maxKeptBytes: 33_554_432 } });
    expect(error).toContain("it is larger than 4194304 bytes");
  });

  it("shows a model's pipe nothing that is for the user alone.", async () => {
    const secret: TestTool = {
      answer: () => ({
        content: [{ type: "text", text: '{"pin":"7731"}', annotations: { audience: ["user"] } }],
        structuredContent: { pin: "7731" },
      }),
    };
    const { host } = await openPipeHost({ echo, rows: secret });
    const value = { $ref: "steps.list.json" };
    const spec = { steps: [list, say("b", value)], return: value };
    const outcome = await runPipe(host, { author: "model", spec });
    expect(outcome.ok).toBe(false);
    const { steps: _, ...told } = outcome;
    expect(JSON.stringify(told)).not.toContain("7731");
  });
});
