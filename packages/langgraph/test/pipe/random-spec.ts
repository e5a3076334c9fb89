import fc from "fast-check";

interface Step {
  readonly id: string;
  readonly tool?: string;
  readonly parallel?: readonly Step[];
  readonly pipe?: RandomSpec;
  /** Which value its argument is: see `toValue`. */
  readonly pick: number;
}

/** What a spec is made of: see `toSpec`. */
interface RandomSpec {
  readonly vars: object;
  readonly steps: readonly Step[];
  readonly pick: number;
  readonly continue_on_error: boolean;
}

/** Specs whose steps call these tools; one that is named twice is called twice as often. */
export function randomSpecs(tools: readonly string[]) {
  const taken = ["__start__", "run", "out_a", "toString"];
  const id = fc.constantFrom("a", "b", "c", "x y", "_x", "1", ...taken);
  const pick = fc.nat(9);
  const tool = fc.constantFrom(...tools);
  const step = { id, pick };
  return fc.letrec<{ spec: RandomSpec; step: Step; steps: Step[] }>((tie) => ({
    steps: fc.uniqueArray(tie("step"), { minLength: 1, maxLength: 4, selector: (step) => step.id }),
    spec: fc.record({
      vars: fc.constant({ q: { deep: [1] } }),
      steps: tie("steps"),
      pick,
      continue_on_error: fc.boolean(),
    }),
    step: fc.oneof(
      { maxDepth: 3, withCrossShrink: true },
      fc.record({ ...step, tool }),
      fc.record({ ...step, parallel: tie("steps") }),
      fc.record({ ...step, pipe: tie("spec") }),
    ),
  })).spec;
}

/** What a value may refer to. */
interface Seen {
  readonly path: string;
  readonly before: readonly Step[];
}

/** The spec that those picks stand for, with references to steps that exist. Each call says `at` which step it is. */
export function toSpec(
  { steps, vars, pick: at, continue_on_error }: RandomSpec,
  path = "",
): object {
  const written = steps.map((step, index) => toStep(step, { path, before: steps.slice(0, index) }));
  const seen = { path, before: steps };
  const end = at < 5 ? {} : { return: [toValue(at, seen), toValue(at + 1, seen)] };
  return { vars, steps: written, continue_on_error, ...end };
}

function toStep(step: Step, seen: Seen): object {
  const { id, tool, parallel, pipe, pick: at } = step;
  const own = `${seen.path}/${id}`;
  if (tool) return { id, tool, args: { v: toValue(at, seen), at: own } };
  if (pipe) return { id, pipe: toSpec(pipe, own) };
  return { id, parallel: (parallel ?? []).map((child) => toStep(child, { ...seen, path: own })) };
}

function toValue(at: number, { before }: Seen): unknown {
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

/** A result without times and ids. `last` as a value carries them into texts too. */
export function withoutRun(result: unknown): unknown {
  const text = JSON.stringify(result, (key, inner: unknown) => (OF_ONE_RUN.has(key) ? "" : inner));
  return JSON.parse(
    text
      .replaceAll(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "id")
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "time")
      .replaceAll(/(_ms|Ms)(\\*":)[\d.]+/g, "$1$2 0"),
  );
}
