import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runHere } from "./run-here.ts";
import { serveShop } from "./serve-shop.ts";
import { timeless } from "./timeless.ts";

const SERVER = serveShop();

const SUMS = {
  steps: [
    { id: "first", tool: "add", args: { a: 1, b: 2 } },
    {
      id: "both",
      parallel: [
        { id: "left", tool: "add", args: { a: { $ref: "steps.first.structured.sum" }, b: 10 } },
        { id: "right", tool: "shop.add", args: { a: 5, b: 5 } },
      ],
    },
  ],
  return: { $ref: "steps.both.children.left.structured.sum" },
};

const REFUSING = {
  steps: [
    { id: "no", tool: "refuse" },
    { id: "late", tool: "add", args: { a: 1, b: 1 } },
  ],
};

const pipe = (spec: unknown, ...flags: string[]) =>
  runHere(["pipe", "-", ...SERVER, ...flags], JSON.stringify(spec));

/** What differs from run to run. */
const DETAILS = [
  "callId",
  "runId",
  "pipeId",
  "startedAtMs",
  "started_at",
  "durationMs",
  "duration_ms",
];
const withoutRunDetails = (key: string, value: unknown) => (DETAILS.includes(key) ? "…" : value);

describe("toolrail pipe", () => {
  it("toolrail pipe takes the spec itself as its argument, as toolrail guard takes a plan.", async () => {
    const { code, stdout } = await runHere(["pipe", JSON.stringify(SUMS), ...SERVER, "--json"]);
    expect(JSON.parse(stdout)).toMatchObject({ ok: true, result: 13 });
    expect(code).toBe(0);
  });

  it.each(["core", "langgraph"])(
    "toolrail pipe --vars sets the vars of the spec, and refuses others by name, on %s.",
    async (engine) => {
      const args = { a: { $ref: "vars.a" }, b: { $ref: "vars.b" } };
      const spec = { vars: { a: 1, b: 2 }, steps: [{ id: "sum", tool: "add", args }] };
      const run = (vars: string) => pipe(spec, "--json", "--engine", engine, "--vars", vars);
      expect(JSON.parse((await run('{"b":40}')).stdout)).toMatchObject({ result: { sum: 41 } });
      const refused = await run('{"c":1}');
      expect(refused.code).toBe(1);
      expect(refused.stdout).toContain("vars.c: the spec has no var of that name; it has a, b");
      expect(await run("[]")).toMatchObject({
        code: 2,
        stdout: expect.stringMatching(/--vars must be an object/),
      });
    },
  );

  it("toolrail pipe prints the pipe result for scripts.", async () => {
    const { code, stdout } = await pipe(SUMS, "--json");
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      ok: true,
      error: "",
      result: 13,
      steps: { both: { children: { right: { structured: { sum: 10 } } } } },
    });
  });

  it("toolrail pipe draws the steps as a tree, with times, for people.", async () => {
    const { code, stdout } = await pipe(SUMS);
    expect(code).toBe(0);
    expect(timeless(stdout)).toContain(`✔ first shop.add N ms
   {"sum":3}
✔ both parallel N ms
├─ ✔ left shop.add N ms
│     {"sum":13}
└─ ✔ right shop.add N ms
      {"sum":10}

✔ ok N ms

The model reads
`);
  });

  it("toolrail pipe puts a failure in its place, names what was not run, and exits with 1.", async () => {
    const { code, stdout } = await pipe(REFUSING);
    expect(code).toBe(1);
    expect(timeless(stdout)).toContain(
      "✖ no shop.refuse N ms\n   The till is closed.\n– late shop.add not run",
    );
  });

  it("toolrail pipe keeps the steps of a failed pipe in the document.", async () => {
    const { code, stdout } = await pipe(REFUSING, "--json");
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ ok: false, steps: { no: { ok: false } } });
  });

  it.each<[string, string, string]>([
    ["broken JSON", "{", "spec: it is not JSON"],
    ["an unknown tool", '{"steps":[{"id":"a","tool":"nope"}]}', "steps[0].tool"],
    ["arguments that break the schema", '{"steps":[{"id":"a","tool":"add"}]}', "steps[0].args"],
  ])(
    "toolrail pipe refuses a spec with %s: the error names the place, exit code 1.",
    async (_what, spec, key) => {
      const { code, stdout } = await runHere(["pipe", "-", ...SERVER, "--json"], spec);
      expect(code).toBe(1);
      const document = JSON.parse(stdout);
      expect(document).toEqual({ error: { code: "invalid-pipe", message: expect.any(String) } });
      expect(document.error.message).toContain(key);
      const people = await runHere(["pipe", "-", ...SERVER], spec);
      expect(people.stderr).toContain(key.split(":")[0]);
    },
  );

  it.each([
    ["a pipe that succeeds", SUMS],
    ["a pipe that fails", REFUSING],
    ["a pipe for the user alone", { steps: [{ id: "w", tool: "welcome", args: { name: "Ada" } }] }],
  ])("toolrail pipe gives the same result for %s with --engine langgraph.", async (_what, spec) => {
    const results = await Promise.all(
      ["core", "langgraph"].map(async (engine) => {
        const { code, stdout } = await pipe(spec, "--json", "--engine", engine);
        return { code, ...JSON.parse(stdout, withoutRunDetails) };
      }),
    );
    expect(results[0]).toEqual(results[1]);
    expect(results[0].code).toBe(spec === REFUSING ? 1 : 0);
  });

  it("toolrail pipe reads the spec from a file; one that is not there is misuse.", async () => {
    const file = join(await mkdtemp(join(tmpdir(), "toolrail-")), "spec.json");
    const missing = await runHere(["pipe", file, ...SERVER, "--json"]);
    expect(missing.code).toBe(2);
    expect(JSON.parse(missing.stdout)).toMatchObject({ error: { code: "usage" } });
    expect(missing.stderr).toMatch(/The spec .*spec\.json cannot be read: no such file/);
    await writeFile(file, JSON.stringify(SUMS));
    expect((await runHere(["pipe", file, ...SERVER])).code).toBe(0);
  });
});
