import { createHost, type McpPort } from "@toolrail/core";
import { describe, expect, it } from "vitest";
import { createPipeTool } from "../src/pipe/index.ts";
import { type Browser, decide, postTo, SAID } from "./browser.ts";
import { type Major, majors, scriptModel } from "./majors.ts";
import { toolOutputs } from "./reading.ts";

const transfer = (id: string, amount: unknown) => ({ id, tool: "transfer", args: { amount } });
const THREE = {
  steps: [transfer("a", 1), transfer("b", 200), transfer("c", 3)],
  return: ["a", "b", "c"].map((id) => ({ $ref: `steps.${id}.structured.amount` })),
};
const pipe = [{ tool: "mcp_pipe", input: THREE, id: "t1" }];

/** A bank that asks before it transfers 100 or more, and the amounts that it was sent. */
function openBank() {
  const sent: unknown[] = [];
  const bank: McpPort = {
    list: async () => ({ tools: [{ name: "transfer", inputSchema: { type: "object" } }] }),
    async call({ arguments: { amount } }) {
      sent.push(amount);
      return { content: [], structuredContent: { amount } };
    },
  };
  const open = () =>
    createHost({
      servers: { bank },
      authorize: ({ arguments: { amount } }) => (Number(amount) >= 100 ? "ask" : "allow"),
    });
  return { sent, open };
}

describe.each(majors)(
  "a pipe of a model with a step that needs a person on $name",
  (major: Major) => {
    it("The step fails, and the model that calls its tool itself is asked about by the SDK.", async () => {
      const { sent, open } = openBank();
      const direct = { tool: "transfer", input: { amount: 200 }, id: "t2" };
      const model = scriptModel(major, pipe, [direct], ["final"]);
      const post = async (browser: Browser) => {
        const host = await open();
        return postTo(major, { host, model, browser, tools: createPipeTool(host) });
      };
      const first = await post([SAID]);
      expect(sent).toEqual([1]);
      expect(toolOutputs(model.prompts.at(-1))).toMatchObject([
        { type: "error-text", value: expect.stringContaining("call the tool directly") },
      ]);
      await post(decide(first));
      expect(sent).toEqual([1, 200]);
      expect(model.calls).toBe(3);
    });
  },
);
