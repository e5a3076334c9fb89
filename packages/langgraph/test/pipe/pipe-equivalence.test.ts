import { parsePipe, runPipe } from "@toolrail/core/pipe";
import fc from "fast-check";
import { expect, it } from "vitest";
import { asking } from "../../../core/test/servers.ts";
import { compilePipe } from "../../src/index.ts";
import { PLACES } from "../row-store.ts";
import { echo, openPipeHost } from "./pipe-scenario.ts";
import { randomSpecs, toSpec, withoutRun } from "./random-spec.ts";

/** Room enough: which step of a group meets a limit first is left to chance. */
const limits = { maxSteps: 2_000 };
const specs = randomSpecs(["echo", "echo", "echo", "bad", "hop", "mine"]);

it.each(Object.entries(PLACES))(
  "A graph and the core's own runner give the same result for any pipe, %s.",
  async (_, { options, toConfig }) => {
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
    const { host } = await openPipeHost(tools, options);
    let ran = 0;
    await fc.assert(
      fc.asyncProperty(specs, async (given) => {
        let pipe: ReturnType<typeof parsePipe>;
        try {
          pipe = parsePipe(host, { spec: toSpec(given), limits });
        } catch {
          return;
        }
        ran++;
        const [expected, actual] = [
          await runPipe(host, { spec: pipe, limits }),
          await compilePipe(host, { spec: pipe, limits }).invoke({}, toConfig()),
        ];
        expect(withoutRun(actual)).toEqual(withoutRun(expected));
      }),
      { numRuns: 80, endOnFailure: true },
    );
    expect(ran).toBeGreaterThan(30);
  },
);
