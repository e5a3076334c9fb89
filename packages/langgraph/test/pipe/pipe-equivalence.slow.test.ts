import { parsePipe, runPipe } from "@toolrail/core/pipe";
import fc from "fast-check";
import { expect, it } from "vitest";
import { asking } from "../../../core/test/servers.ts";
import { compilePipe } from "../../src/pipe/index.ts";
import { echo, openPipeHost } from "./pipe-scenario.ts";
import { randomSpecs, toSpec, withoutRun } from "./random-spec.ts";

const numRuns = Number(process.env.PIPE_RUNS ?? 120);
const seed = Number(process.env.PIPE_SEED ?? 1);
/** Room enough: which step meets a limit first is left to chance. */
const limits = { maxSteps: 2_000 };
const TOOLS = ["echo", "echo", "echo", "bad", "hop", "mine"];
const bad = { answer: () => ({ content: [{ type: "text", text: "no luck" }], isError: true }) };

const pipes = [
  { what: "any pipe", author: "application" },
  { what: "any pipe of a model", author: "model" },
] as const;

it.each(pipes)(
  "A graph and the core's own runner give the same result for $what",
  async ({ author }) => {
    const tools = {
      echo,
      bad,
      hop: { answer: () => asking("echo", { v: "hopped" }) },
      mine: {
        answer: () => ({
          content: [{ type: "text", text: "mine", annotations: { audience: ["user"] } }],
          structuredContent: { v: { mine: 1 } },
        }),
      },
    };
    const { host } = await openPipeHost(tools);
    let ran = 0;
    await fc.assert(
      fc.asyncProperty(randomSpecs(TOOLS), async (given) => {
        let pipe: ReturnType<typeof parsePipe>;
        try {
          pipe = parsePipe(host, {
            spec: toSpec(given),
            limits,
            author,
          });
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
      { numRuns, seed, endOnFailure: true },
    );
    expect(ran).toBeGreaterThan(numRuns / 5);
  },
);
