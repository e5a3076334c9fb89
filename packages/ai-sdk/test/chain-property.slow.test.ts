import { createHost } from "@toolrail/core";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { asking, createTestServer } from "../../core/test/servers.ts";
import { withChaining } from "../src/index.ts";
import { type Major, majors, scriptModel } from "./majors.ts";
import { answerTo } from "./reading.ts";
import { runs } from "./runs.ts";

/** Chains by their lengths; the model begins all of them in one turn. */
const lengths = fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 4 });
/** Whether a hop is left to a person, by its chain and its place. */
const asks = fc.array(fc.array(fc.boolean(), { minLength: 5, maxLength: 5 }), {
  minLength: 4,
  maxLength: 4,
});

describe.each(majors)("any chains begun in one turn on $name", (major: Major) => {
  it.each(runs.slice(0, 2))(
    "Chains make their hops in order and none twice ($name).",
    async ({ run }) => {
      await fc.assert(
        fc.asyncProperty(lengths, asks, async (chains, asked) => {
          const server = await createTestServer({
            go: {
              answer: ({ arguments: { chain, step } }) =>
                Number(step) + 1 < (chains[Number(chain)] ?? 0)
                  ? asking("go", { chain, step: Number(step) + 1 })
                  : { content: [{ type: "text", text: "end" }] },
            },
          });
          const host = await createHost({
            servers: { bank: server.client },
            authorize: ({ arguments: { chain, step } }) =>
              asked[Number(chain)]?.[Number(step)] ? "ask" : "allow",
          });
          const turn = chains.map((_, chain) => ({ tool: "go", input: { chain, step: 0 } }));
          const model = scriptModel(major, turn, ["final"]);
          let messages: Parameters<typeof answerTo>[0] = [{ role: "user", content: "hi" }];
          let text = "";
          for (let pauses = 0; text === "" && pauses < 30; pauses++) {
            const settings = { ...withChaining(host, { model: model.model }), messages };
            const result = await run(major, settings as never);
            text = result.text;
            if (text !== "") break;
            const history = [...messages, ...result.messages];
            messages = [...history, answerTo(result.messages, true)];
          }
          expect(text).toBe("final");
          expect(model.calls).toBe(2);
          for (const [chain, length] of chains.entries()) {
            const steps = server.seen.filter(({ arguments: args }) => args.chain === chain);
            expect(steps.map(({ arguments: args }) => args.step)).toEqual(
              Array.from({ length }, (_, step) => step),
            );
          }
          await host.close();
        }),
        { numRuns: 15 },
      );
    },
  );
});
