import { type PipeResult, runPipe } from "@toolrail/core/pipe";
import fc from "fast-check";
import { expect, it } from "vitest";
import { compilePipe } from "../../src/pipe/index.ts";
import { openPipeHost } from "./pipe-scenario.ts";

/** A step of some size, alone, in a group or in a nested pipe. */
type Step = number | { readonly parallel: readonly Step[] } | { readonly pipe: readonly Step[] };

const { steps } = fc.letrec<{ steps: Step[]; step: Step }>((tie) => ({
  steps: fc.array(tie("step"), { minLength: 1, maxLength: 4 }),
  step: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.constantFrom(100, 400, 1_000, 2_500),
    fc.record({ parallel: tie("steps") }),
    fc.record({ pipe: tie("steps") }),
  ),
}));

function toSpec(given: readonly Step[]): object {
  return { steps: given.map(toStep), continue_on_error: true };
}

function toStep(step: Step, at: number): object {
  const id = `s${at}`;
  if (typeof step === "number") return { id, tool: "page", args: { size: step } };
  if ("pipe" in step) return { id, pipe: toSpec(step.pipe) };
  return { id, parallel: step.parallel.map(toStep) };
}

const limits = { maxKeptBytes: 4_000, maxSteps: 1_000 };

/** What does not depend on the clock. */
function withoutTimes(result: PipeResult): unknown {
  const isTime = (key: string) =>
    /^(started_at|duration_ms|startedAtMs|durationMs|callId|runId|origin)$/.test(key);
  return JSON.parse(JSON.stringify(result, (key, value) => (isTime(key) ? undefined : value)));
}

it("Which steps are dropped depends on the spec alone, in the core and in a graph.", async () => {
  let delays: readonly number[] = [0];
  let calls = 0;
  const { host } = await openPipeHost({
    page: {
      async answer({ arguments: { size } }) {
        const ms = delays[calls++ % delays.length];
        await new Promise((resolve) => setTimeout(resolve, ms));
        return { content: [{ type: "text", text: "x".repeat(Number(size)) }] };
      },
    },
  });
  let dropped = 0;
  const property = fc.asyncProperty(
    steps,
    fc.array(fc.array(fc.nat(4), { minLength: 3, maxLength: 5 }), { minLength: 2, maxLength: 2 }),
    async (given, orders) => {
      const spec = toSpec(given);
      delays = [0];
      const expected = withoutTimes(await runPipe(host, { spec, limits }));
      if (JSON.stringify(expected).includes("maxKeptBytes")) dropped++;
      for (const order of orders) {
        delays = order;
        expect(withoutTimes(await runPipe(host, { spec, limits }))).toEqual(expected);
        const graph = compilePipe(host, { spec, limits });
        expect(withoutTimes((await graph.invoke({})) as PipeResult)).toEqual(expected);
      }
    },
  );
  await fc.assert(property, { numRuns: Number(process.env.PIPE_RUNS ?? 15), seed: 7 });
  expect(dropped).toBeGreaterThan(4);
});
