import { parsePipe, runPipe } from "@toolrail/core/pipe";
import fc from "fast-check";
import { expect, it } from "vitest";
import { asking } from "../../../core/test/servers.ts";
import { compilePipe } from "../../src/index.ts";
import { PLACES } from "../row-store.ts";
import { echo, openPipeHost } from "./pipe-scenario.ts";
import { comparable, randomSpecs, toSpec } from "./random-spec.ts";

const numRuns = Number(process.env.FLOW_RUNS ?? 120);
const seed = Number(process.env.FLOW_SEED ?? 1);
/** Room enough: which step meets a limit first is left to chance. */
const limits = { maxSteps: 2_000 };
const specs = randomSpecs(["echo", "echo", "echo", "bad", "hop", "mine"], { flow: true });

it.each([
  ["application", "its results in its channels"],
  ["model", "its results in its channels"],
  ["application", "its results in a store"],
  ["model", "its results in a store"],
] as const)(
  "A graph and the core's own runner give the same result for any pipe that branches and repeats, by the %s, %s.",
  async (author, where) => {
    const tools = {
      echo,
      bad: { answer: () => ({ content: [{ type: "text", text: "no luck" }], isError: true }) },
      hop: { answer: () => asking("echo", { v: "hopped" }) },
      mine: {
        answer: () => ({
          content: [{ type: "text", text: "mine", annotations: { audience: ["user"] } }],
          structuredContent: { v: { mine: 1 } },
        }),
      },
    };
    const { options, toConfig } = PLACES[where];
    const { host } = await openPipeHost(tools, options);
    let ran = 0;
    await fc.assert(
      fc.asyncProperty(specs, async (given) => {
        let pipe: ReturnType<typeof parsePipe>;
        try {
          pipe = parsePipe(host, { spec: toSpec(given), limits, author });
        } catch {
          return;
        }
        ran++;
        const [expected, actual] = [
          await runPipe(host, { spec: pipe, limits }),
          await compilePipe(host, { spec: pipe, limits }).invoke({}, toConfig()),
        ];
        expect(comparable(actual)).toEqual(comparable(expected));
      }),
      { numRuns, seed, endOnFailure: true },
    );
    expect(ran).toBeGreaterThan(numRuns / 5);
  },
);

it("In the order of its data a pipe comes to what it comes to as it is listed.", async () => {
  const bad = { answer: () => ({ content: [{ type: "text", text: "no luck" }], isError: true }) };
  const { host } = await openPipeHost({ echo, bad });
  const own = randomSpecs(["echo", "echo", "echo", "bad"], { flow: true });
  let ran = 0;
  await fc.assert(
    fc.asyncProperty(own, async (given) => {
      const data = JSON.stringify(toSpec(given));
      const listed = data.replaceAll('"order":"data"', '"order":"listed"');
      const [expected, actual] = [
        await runPipe(host, { spec: listed, limits }),
        await runPipe(host, { spec: data, limits }),
      ];
      if (data === listed || expected.problems || actual.problems) return;
      ran++;
      expect(comparable(actual)).toEqual(comparable(expected));
    }),
    { numRuns, seed, endOnFailure: true },
  );
  expect(ran).toBeGreaterThan(numRuns / 20);
});
