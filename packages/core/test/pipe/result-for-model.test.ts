import fc from "fast-check";
import { expect, it } from "vitest";
import type { ToolSchemas } from "../../src/host/host-options.ts";
import type { HostOptions } from "../../src/index.ts";
import { runPipe, toPipeReply } from "../../src/pipe/index.ts";
import type { TestTool } from "../servers.ts";
import { echo, openPipeHost } from "./pipe-scenario.ts";

const SECRET = "IBAN-7731";

/** Answers for the user alone: with a text, and with data. */
const mine: TestTool = {
  answer: () => ({
    content: [{ type: "text", text: SECRET, annotations: { audience: ["user"] } }],
    structuredContent: { v: SECRET, list: [{ [SECRET]: SECRET }] },
  }),
};

interface Step {
  readonly id: string;
  readonly tool?: string;
  /** What a tool is handed. */
  readonly args?: readonly number[];
  readonly parallel?: readonly Step[];
  readonly pipe?: { readonly steps: readonly Step[]; readonly picks: readonly number[] };
}

const id = fc.constantFrom("a", "b", "c", "d");
const picks = fc.array(fc.nat(), { maxLength: 6 });
const args = fc.array(fc.nat(), { maxLength: 2 });
const { steps } = fc.letrec<{ steps: Step[]; step: Step }>((tie) => ({
  steps: fc.uniqueArray(tie("step"), { minLength: 1, maxLength: 3, selector: (step) => step.id }),
  step: fc.oneof(
    { maxDepth: 3 },
    fc.record({ id, tool: fc.constantFrom("mine", "mine", "note"), args }),
    fc.record({ id, parallel: tie("steps") }),
    fc.record({ id, pipe: fc.record({ steps: tie("steps"), picks }) }),
  ),
}));

/** Every path into the results of some steps. */
function pathsInto(list: readonly Step[], base: string): string[] {
  return list.flatMap(({ id: name, tool, parallel, pipe }) => {
    const at = `${base}.${name}`;
    if (parallel) return [at, `${at}.children`, ...pathsInto(parallel, `${at}.children`)];
    if (pipe) return [at, `${at}.result`, `${at}.steps`, ...pathsInto(pipe.steps, `${at}.steps`)];
    const parts = [".structured", ".text", tool === "mine" ? ".structured.list.0" : ".ok"];
    return [at, ...parts.map((part) => at + part)];
  });
}

/** Values that refer to all there is, by reference and in texts. */
function select(list: readonly Step[], chosen: readonly number[], more: readonly string[] = []) {
  const paths = [...pathsInto(list, "steps"), ...more];
  if (list.length > 0) paths.push("steps", "last");
  return Object.fromEntries(
    chosen.map((pick, at) => {
      const path = paths[pick % paths.length] ?? "vars";
      return [`k${at}`, pick % 2 === 0 ? { $ref: path } : `<\${${path}}>`];
    }),
  );
}

/** The children of a group see the steps before it. */
function toSteps(list: readonly Step[], vars: readonly string[], seen?: readonly Step[]): object[] {
  return list.map(({ id: name, tool, args: given = [], parallel, pipe }, at) => {
    const before = seen ?? list.slice(0, at);
    if (tool) return { id: name, tool, args: select(before, given, vars) };
    if (parallel) return { id: name, parallel: toSteps(parallel, vars, before) };
    const { steps: inner = [], picks: chosen = [] } = pipe ?? {};
    const own = select(before, chosen, vars);
    const known = [...vars, ...Object.keys(own).map((key) => `vars.${key}`)];
    const returned = select(inner, chosen, known);
    return { id: name, pipe: { vars: own, steps: toSteps(inner, known), return: returned } };
  });
}

it("A model reads nothing that was for the user alone, whatever a pipe returns.", async () => {
  // It repeats nothing that it is handed: what a server answers is for whoever that server names.
  const note = { answer: () => ({ content: [], structuredContent: { noted: true } }) };
  const { host } = await openPipeHost({ note, mine });
  await fc.assert(
    fc.asyncProperty(steps, picks, async (list, chosen) => {
      const spec = { steps: toSteps(list, []), return: [select(list, chosen), { $ref: "steps" }] };
      const result = await runPipe(host, { spec, limits: { maxSteps: 1_000 } });
      expect(result).toMatchObject({ ok: true, error: "" });
      const holdsSecret = JSON.stringify(list).includes('"mine"');
      expect(JSON.stringify(result.result).includes(SECRET)).toBe(holdsSecret);
      expect(JSON.stringify(toPipeReply(result))).not.toContain(SECRET);
    }),
  );
});

it("A nested pipe that fails after a step for the user alone leaves the result of the others.", async () => {
  const { host } = await openPipeHost({ echo, mine });
  const missing = { $ref: "steps.m.structured.none" };
  const inner = [
    { id: "m", tool: "mine" },
    { id: "e", tool: "echo", args: { missing } },
  ];
  const spec = {
    steps: [{ id: "n", pipe: { steps: inner } }],
    continue_on_error: true,
    return: { ok: { $ref: "steps.n.ok" } },
  };
  const { result, error } = await runPipe(host, { spec });
  expect({ result, error }).toEqual({
    result: { ok: false },
    error: expect.not.stringContaining("return: "),
  });
});

/** Says what it was given, as some parsers do. */
const strict: ToolSchemas[string] = {
  "~standard": {
    version: 1,
    vendor: "test",
    validate: (value) => ({ issues: [{ message: `received ${JSON.stringify(value)}` }] }),
  },
};
const pin: TestTool = {
  answer: () => ({
    content: [{ type: "text", text: "shown", annotations: { audience: ["user"] } }],
    structuredContent: { v: 77_311, rows: Array.from({ length: 83 }, () => ({ IBAN: 1 })) },
  }),
};
const limited = (member: string, v: object) => ({
  definition: { [member]: { type: "object", properties: { v } } },
});
const bounded = limited("inputSchema", { maximum: 10 });
const short = limited("inputSchema", { maxLength: 3 });
const own = { ...pin, ...limited("outputSchema", { maximum: 10 }) };
const read = [{ id: "p", tool: "pin" }];
const give = (value: unknown) => [...read, { id: "e", tool: "echo", args: { v: value } }];
const ref = (path: string) => ({ $ref: `steps.p.structured.${path}` });
interface Mistake {
  readonly tools?: Record<string, TestTool>;
  readonly options?: Omit<HostOptions, "servers">;
  readonly steps: readonly object[];
}

it.each<[string, Mistake]>([
  ["its own parser", { options: { schemas: { "web.pin": strict } }, steps: read }],
  ["its own schema", { tools: { pin: own }, steps: read }],
  ["the schema of the tool that is given it", { tools: { echo: bounded }, steps: give(ref("v")) }],
  [
    "the schema of a tool that is given its length",
    { tools: { echo: short }, steps: give("${steps.p.structured.v}") },
  ],
  ["a reference that leads beyond it", { steps: give(ref("rows.99")) }],
  ["a reference that names no part of it", { steps: give(ref("rows.0.other")) }],
])("A model learns no value, key or count for the user alone by %s.", async (_, mistake) => {
  const { tools, options, steps: wrong } = mistake;
  const { host } = await openPipeHost({ echo, pin, ...tools }, options);
  const result = await runPipe(host, { spec: { steps: wrong }, author: "model" });
  expect(result.ok).toBe(false);
  expect(JSON.stringify(toPipeReply(result))).not.toMatch(/77311|83|IBAN|\(\d/);
});

it("A model reads what is wrong with arguments beside a result for the user alone.", async () => {
  const { host } = await openPipeHost({ echo: bounded, pin });
  const steps = give({ $ref: "vars.n" });
  const { error } = await runPipe(host, {
    spec: { vars: { n: 1 }, steps },
    vars: { n: 11 },
    author: "model",
  });
  expect(error).toContain("/v must be <= 10");
});

it("A step whose arguments are refused does not quote what was for the user alone.", async () => {
  const definition = { inputSchema: { type: "object", additionalProperties: false } } as const;
  const { host, web } = await openPipeHost({ mine, strict: { definition } });
  const row = { $ref: "steps.m.structured.list.0" };
  const steps = [
    { id: "m", tool: "mine" },
    { id: "s", tool: "strict", args: row },
  ];
  const result = await runPipe(host, { spec: { steps } });
  expect(web.calls).toEqual(["mine"]);
  expect(result.steps.s).toMatchObject({ ok: false, hops: [] });
  expect(result.error).not.toContain(SECRET);
});
