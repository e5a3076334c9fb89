import type { Host } from "@toolrail/core";
import type { JsonObject } from "@toolrail/core/json";
import type { ModelMessage } from "ai";
import { describe, expect, it } from "vitest";
import { withSingleStep } from "../src/guard/index.ts";
import { createTools, withChaining } from "../src/index.ts";
import { openBank, USER } from "./bank.ts";
import { majors, scriptModel } from "./majors.ts";
import { answerTo } from "./reading.ts";
import { generate } from "./runs.ts";

const schema = { type: "object", properties: { to: { type: "string" } }, required: ["to"] };
const PAY = {
  definition: { inputSchema: schema, outputSchema: { type: "object" } },
  answer: () => ({ content: [], structuredContent: {} }),
};

interface Who {
  readonly conversation: string;
  readonly changes?: (call: { readonly toolCallId: string }) => JsonObject | undefined;
}

const ways = [
  {
    way: "createTools",
    compose: (host: Host, model: unknown, who: Who): object => ({
      ...{ model, tools: createTools(host, who) },
    }),
  },
  {
    way: "withChaining",
    compose: (host: Host, model: unknown, who: Who): object =>
      withChaining(host, { model, chaining: who }),
  },
  {
    way: "withSingleStep",
    compose: (host: Host, model: unknown, who: Who): object =>
      withSingleStep(host, { model, singleStep: { allow: ["*.*"], ...who } }),
  },
];

describe.each(majors.flatMap((major) => ways.map((way) => ({ ...way, major, name: major.name }))))(
  "A person's change under $way on $name",
  ({ compose, major }) => {
    const open = () => openBank({ pay: PAY }, { authorize: () => "ask" });
    const run = (host: Host, messages: ModelMessage[], who: Partial<Who> = {}) => {
      const turns = messages.length > 1 ? [] : [[{ tool: "pay", input: { to: "mallory" } }]];
      const { model } = scriptModel(major, ...turns, ["final"]);
      const settings = { ...compose(host, model, { conversation: "c1", ...who }), messages };
      return generate(major, { stopWhen: major.sdk.stepCountIs(3), ...settings } as never);
    };
    const pause = async (host: Host): Promise<ModelMessage[]> => {
      const asked = [USER, ...(await run(host, [USER])).messages];
      return [...asked, answerTo(asked, true)];
    };
    const changes = () => ({ to: "bob" });

    it("is sent in place of what the model wrote.", async () => {
      const { server, host } = await open();
      const seen: unknown[] = [];
      await run(host, await pause(host), {
        changes(call) {
          seen.push(call);
          return changes();
        },
      });
      expect(server.seen.map(({ arguments: args }) => args)).toEqual([{ to: "bob" }]);
      expect(seen).toMatchObject([{ tool: { id: "bank.pay" }, arguments: { to: "mallory" } }]);
    });

    it("is not sent if it breaks the schema, and nor is what the model wrote.", async () => {
      const { server, host } = await open();
      await run(host, await pause(host), { changes: () => ({ to: 1 }) });
      expect(server.calls).toEqual([]);
    });

    it("makes no second call of an approval that was used.", async () => {
      const { server, host } = await open();
      const approved = await pause(host);
      await run(host, approved);
      await run(host, approved, { changes });
      expect(server.seen.map(({ arguments: args }) => args)).toEqual([{ to: "mallory" }]);
    });

    it("is not taken before anybody has approved the call.", async () => {
      const { server, host } = await open();
      await run(host, [USER], { changes });
      expect(server.calls).toEqual([]);
    });
  },
);
