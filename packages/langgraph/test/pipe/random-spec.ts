import fc from "fast-check";

interface Step {
  readonly id: string;
  readonly tool?: string;
  readonly parallel?: readonly Step[];
  readonly pipe?: RandomSpec;
  /** What is done with each item of a list. */
  readonly each?: { readonly tool: string } | { readonly pipe: RandomSpec };
  /** Whether there is a condition, and which. */
  readonly when: number;
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

/**
 * Specs whose steps call these tools; one that is named twice is called twice as often. With `branches`, they have
 * conditions and loops.
 */
export function randomSpecs(tools: readonly string[], { branches = false } = {}) {
  const id = fc.constantFrom("a", "b", "c", "x y", "_x", "__start__", "1");
  const pick = fc.nat(9);
  const tool = fc.constantFrom(...tools);
  const when = branches ? fc.nat(7) : fc.constant(9);
  const step = { id, pick, when };
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
      ...(branches
        ? [
            fc.record({ ...step, each: fc.record({ tool }) }),
            fc.record({ ...step, each: fc.record({ pipe: tie("spec") }) }),
          ]
        : []),
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
  const { id, tool, parallel, pipe, each, pick: at } = step;
  const own = `${seen.path}/${id}`;
  const when = { ...(step.when < 3 && { when: toCondition(step.when, seen) }) };
  if (tool) return { id, ...when, tool, args: { v: toValue(at, seen), at: own } };
  if (pipe) return { id, ...when, pipe: toSpec(pipe, own) };
  if (!each) {
    const children = (parallel ?? []).map((child) => toStep(child, { ...seen, path: own }));
    return { id, ...when, parallel: children };
  }
  const as = `i${own.replaceAll(/\W/g, "_")}`;
  const list = ["<${vars.q}>", { $ref: "vars.q" }, toValue(at, seen)].map((v, k) => ({ v, k }));
  const mapped = { $cel: "[1, 2].map(n, {'k': n, 'v': n * 2})" };
  const for_each = at % 4 === 0 ? [] : at % 4 === 1 ? mapped : list;
  const label = `${own}/\${${as}.k}`;
  if ("pipe" in each) {
    const { steps, ...body } = toSpec(each.pipe, label) as { steps: object[] };
    return { id, ...when, for_each, as, do: { pipe: { steps, ...body } } };
  }
  const args = { v: { $ref: `${as}.v` }, at: label };
  return { id, ...when, for_each, as, do: { tool: each.tool, args } };
}

function toCondition(at: number, { before }: Seen): string {
  const step = before[at % Math.max(before.length, 1)];
  if (!step || !/^[a-z]$/.test(step.id)) return at === 0 ? "vars.q.deep[0] > 1" : "has(vars.q)";
  return step.tool
    ? `steps.${step.id}.ok && has(steps.${step.id}.structured)`
    : `steps.${step.id}.id > '${"abc"[at]}'`;
}

function toValue(at: number, { before }: Seen): unknown {
  const step = before[at % Math.max(before.length, 1)];
  const field = step?.tool ? "structured.v" : step?.parallel ? "children" : "result";
  const part = step?.each ? "items" : field;
  const values = [
    "text",
    `<\${vars.q}>`,
    { $ref: "vars.q.deep.0" },
    ...(step
      ? [
          { $ref: `steps.${step.id}.${part}` },
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
