import type { HostOptions } from "@toolrail/core";
import { parsePipe, runPipe } from "@toolrail/core/pipe";
import fc from "fast-check";
import { expect, it } from "vitest";
import type { TestTool } from "../../../core/test/servers.ts";
import { compilePipe } from "../../src/pipe/index.ts";
import { hopsIn, inOtherProcess, type LossPoint, losingSaver } from "../losing-saver.ts";
import { runToEnd } from "../run-to-end.ts";
import { echo, openPipeHost } from "./pipe-scenario.ts";
import { randomSpecs, toSpec, withoutRun } from "./random-spec.ts";

/** More, and others, than in the normal tests: `CRASH_RUNS=1000 CRASH_SEED=7 CRASH_STEPS=60 vitest run --mode slow pipe-crash`. */
const numRuns = Number(process.env.CRASH_RUNS ?? 30);
const maxSteps = Number(process.env.CRASH_STEPS ?? 16);
const seed = Number(process.env.CRASH_SEED ?? 1);
const CONFIG = { configurable: { thread_id: "1" } };
const limits = { maxSteps: 2_000 };

const tools: Record<string, TestTool> = {
  echo: { ...echo, definition: { annotations: { readOnlyHint: true } } },
  bad: { answer: () => ({ content: [{ type: "text", text: "no luck" }], isError: true }) },
  pay: echo,
};

/** What the person says, and what the core is told in advance: every second call is refused. */
function isApproved({ at }: Record<string, unknown>): boolean {
  return String(at).length % 2 === 0;
}

const asked: Omit<HostOptions, "servers"> = {
  secret: "the same in each process of the test",
  authorize: ({ tool }) => (tool.name === "pay" ? "ask" : "allow"),
};
const told: Omit<HostOptions, "servers"> = {
  authorize: ({ tool, arguments: args }) =>
    tool.name !== "pay" || isApproved(args) ? "allow" : { deny: "no" },
};

const run = { config: CONFIG, input: {}, isApproved };

/** Which call of the spec each call was. */
function placesOf(calls: readonly { readonly arguments: Record<string, unknown> }[]): string[] {
  return calls.map(({ arguments: { at } }) => String(at));
}

function withDenials(result: unknown): unknown {
  const { __interrupt__: _, ...rest } = withoutRun(result) as Record<string, unknown>;
  return JSON.parse(JSON.stringify(rest).replaceAll("was not approved: no", "was not called: no"));
}

/** Runs in a process that is lost at one write, and lets another go on. */
async function crash(spec: object, point: LossPoint) {
  const first = await openPipeHost(tools, asked);
  const saver = losingSaver(point);
  const graph = compilePipe(first.host, {
    spec,
    limits,
    checkpointer: saver,
  });
  const ended = await runToEnd(graph, run).catch(() => undefined);
  const other = await openPipeHost(tools, asked);
  const checkpointer = inOtherProcess(saver);
  const result = await runToEnd(compilePipe(other.host, { spec, limits, checkpointer }), run);
  const calls = placesOf([...first.web.seen, ...other.web.seen]);
  await first.host.close();
  await other.host.close();
  const finished = [...hopsIn(saver.written).values()].map(({ at }) => at);
  return { isLost: ended === undefined, result, calls, finished, saver };
}

/** Some writes of a run, as shares of all of them, before or after they are written. */
const points = fc.array(fc.tuple(fc.double({ min: 0, max: 0.999, noNaN: true }), fc.boolean()), {
  minLength: 12,
  maxLength: 12,
});

it("A pipe whose process is lost at any write continues in another to the same end, and makes no finished call again.", async () => {
  const core = await openPipeHost(tools, told);
  let lost = 0;
  const specs = randomSpecs(["echo", "echo", "pay", "bad"]);
  const property = fc.asyncProperty(specs, points, async (given, shares) => {
    const spec = toSpec(given);
    let pipe: ReturnType<typeof parsePipe>;
    try {
      pipe = parsePipe(core.host, { spec, limits });
    } catch {
      return;
    }
    if (pipe.stepCount > maxSteps) return;
    const before = core.web.seen.length;
    const expected = withDenials(await runPipe(core.host, { spec: pipe, limits }));
    const expectedCalls = placesOf(core.web.seen.slice(before));
    const whole = await crash(spec, { count: Number.POSITIVE_INFINITY, isWritten: true });
    expect(withDenials(whole.result)).toEqual(expected);
    const all = whole.saver.written.length;
    for (const [share, isWritten] of shares) {
      const count = 1 + Math.floor(share * all);
      const { isLost, result, calls, finished } = await crash(spec, { count, isWritten });
      if (isLost) lost++;
      const where = `lost ${isWritten ? "after" : "before"} write ${count} of ${all}`;
      expect(withDenials(result), where).toEqual(expected);
      expect(new Set(calls), where).toEqual(new Set(expectedCalls));
      const twice = calls.filter((at, index) => calls.indexOf(at) < index);
      expect(
        twice.filter((at) => finished.includes(at)),
        where,
      ).toEqual([]);
    }
  });
  await fc.assert(property, {
    numRuns,
    seed,
    endOnFailure: true,
  });
  expect(lost).toBeGreaterThan(50);
}, 600_000);
