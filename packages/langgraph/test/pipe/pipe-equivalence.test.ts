import { parsePipe, runPipe } from "@toolrail/core/pipe";
import fc from "fast-check";
import { expect, it } from "vitest";
import { asking } from "../../../core/test/servers.ts";
import { compilePipe } from "../../src/index.ts";
import { echo, openPipeHost } from "./pipe-scenario.ts";

interface Step {
  readonly id: string;
  readonly tool?: string;
  readonly parallel?: readonly Step[];
  readonly pipe?: Spec;
  /** Which value its argument is: see `toValue`. */
  readonly pick: number;
}

interface Spec {
  readonly vars: object;
  readonly steps: readonly Step[];
  readonly pick: number;
  readonly continue_on_error: boolean;
}

const id = fc.constantFrom("a", "b", "c", "x y", "_x", "__start__", "1");
const pick = fc.nat(9);
const { spec } = fc.letrec<{ spec: Spec; step: Step; steps: Step[] }>((tie) => ({
  steps: fc.uniqueArray(tie("step"), { minLength: 1, maxLength: 4, selector: (step) => step.id }),
  spec: fc.record({
    vars: fc.constant({ q: { deep: [1] } }),
    steps: tie("steps"),
    pick,
    continue_on_error: fc.boolean(),
  }),
  step: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.record({ id, pick, tool: fc.constantFrom("echo", "echo", "echo", "bad", "hop", "mine") }),
    fc.record({ id, pick, parallel: tie("steps") }),
    fc.record({ id, pick, pipe: tie("spec") }),
  ),
}));

/** The spec that those picks stand for, with references to steps that exist. */
function toSpec({ steps, vars, pick: at, continue_on_error }: Spec): object {
  const written = steps.map((step, index) => toStep(step, steps.slice(0, index)));
  const end = at < 5 ? {} : { return: [toValue(at, steps), toValue(at + 1, steps)] };
  return { vars, steps: written, continue_on_error, ...end };
}

function toStep(
  { id: name, tool, parallel, pipe, pick: at }: Step,
  before: readonly Step[],
): object {
  if (tool) return { id: name, tool, args: { v: toValue(at, before) } };
  if (pipe) return { id: name, pipe: toSpec(pipe) };
  return { id: name, parallel: parallel?.map((child) => toStep(child, before)) };
}

function toValue(at: number, before: readonly Step[]): unknown {
  const step = before[at % Math.max(before.length, 1)];
  const field = step?.tool ? "structured.v" : step?.parallel ? "children" : "result";
  const values = [
    "text",
    `<\${vars.q}>`,
    { $ref: "vars.q.deep.0" },
    ...(step
      ? [
          { $ref: `steps.${step.id}.${field}` },
          `\${steps.${step.id}.error} \${last.ok}`,
          { $ref: "last.kind" },
        ]
      : []),
  ];
  return values[at % values.length];
}

/** Room enough: which step of a group meets a limit first is left to chance. */
const limits = { maxSteps: 2_000 };

it("A graph and the core's own runner give the same result for any pipe.", async () => {
  const { host } = await openPipeHost({
    echo,
    bad: { answer: () => ({ content: [{ type: "text", text: "no luck" }], isError: true }) },
    hop: { answer: () => asking("echo", { v: "hopped" }) },
    mine: {
      answer: () => ({
        content: [{ type: "text", text: "mine", annotations: { audience: ["user"] } }],
        structuredContent: { v: { mine: 1 } },
      }),
    },
  });
  let ran = 0;
  await fc.assert(
    fc.asyncProperty(spec, async (given) => {
      let pipe: ReturnType<typeof parsePipe>;
      try {
        pipe = parsePipe(host, { spec: toSpec(given), limits });
      } catch {
        return;
      }
      ran++;
      const [expected, actual] = [
        await runPipe(host, { spec: pipe, limits }),
        await compilePipe(host, { spec: pipe, limits }).invoke({}),
      ];
      expect(withoutRun(actual)).toEqual(withoutRun(expected));
    }),
    { numRuns: 80, endOnFailure: true },
  );
  expect(ran).toBeGreaterThan(30);
});

const OF_ONE_RUN = new Set([
  "started_at",
  "duration_ms",
  "startedAtMs",
  "durationMs",
  "callId",
  "runId",
  "pipeId",
  "causedBy",
]);

/** Without times and ids. `last` as a value carries them into texts too. */
function withoutRun(result: unknown): unknown {
  const text = JSON.stringify(result, (key, inner: unknown) => (OF_ONE_RUN.has(key) ? "" : inner));
  return JSON.parse(
    text
      .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "id")
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "time")
      .replaceAll(/(_ms|Ms)(\\*":)[\d.]+/g, "$1$2 0"),
  );
}
