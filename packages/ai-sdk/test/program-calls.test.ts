import { describe, expect, it } from "vitest";
import { asking } from "../../core/test/servers.ts";
import { createTools, type HopResult, withChaining } from "../src/index.ts";
import { CHAIN, chained, FOR_USER, openBank, text } from "./bank.ts";
import { type Major, majors, scriptModel } from "./majors.ts";
import { runs } from "./runs.ts";

const outputSchema = {
  type: "object",
  properties: { balance: { type: "number" } },
  required: ["balance"],
};
const BALANCE = {
  balance: {
    definition: { outputSchema },
    answer: () => ({ ...asking("c", { id: 2 }), structuredContent: { balance: 7 } }),
  },
  c: CHAIN.c ?? {},
};

type Tools = Record<string, { execute(input: unknown, options: object): unknown }>;

describe.each(majors)("a call by a program on $name", (major: Major) => {
  /** A tool of the application whose program calls the tool `balance`, as in code mode. */
  function openProgram(tools: () => Tools) {
    const outputs: unknown[] = [];
    const program = major.sdk.tool({
      inputSchema: major.sdk.jsonSchema({ type: "object" }),
      async execute(_, options) {
        const call = { ...options, toolCallId: "program-1" };
        outputs.push(await tools().balance?.execute({}, call));
        return "done";
      },
    });
    return { program, outputs };
  }

  it.each(runs)(
    "makes its whole chain under withChaining, and gets the structured content ($name)",
    async ({ run }) => {
      const { server, host } = await openBank(BALANCE);
      const told: string[] = [];
      const onHop = ({ hop }: HopResult) => void told.push(hop.tool);
      const { program, outputs } = openProgram(() => settings.tools as unknown as Tools);
      const model = scriptModel(major, [{ tool: "program" }], ["final"]);
      const settings = chained(host, model, { tools: { program }, chaining: { onHop } });
      await run(major, settings);
      expect(server.calls).toEqual(["balance", "c"]);
      expect(told).toEqual(["balance", "c"]);
      expect(outputs).toMatchObject([{ ended: "complete", structured: { balance: 7 } }]);
      expect(model.calls).toBe(2);
    },
  );

  it.each(runs)("gets the structured content from createTools ($name)", async ({ run }) => {
    const { server, host } = await openBank(BALANCE);
    const tools = createTools(host);
    const { program, outputs } = openProgram(() => tools);
    const model = scriptModel(major, [{ tool: "program" }, { tool: "c", input: { id: 1 } }], ["x"]);
    const stopWhen = major.sdk.stepCountIs(3);
    const settings = { model: model.model, tools: { ...tools, program }, prompt: "hi", stopWhen };
    const { steps } = await run(major, settings as never);
    expect(server.calls.toSorted()).toEqual(["balance", "c", "c"]);
    expect(outputs).toMatchObject([{ ended: "complete", structured: { balance: 7 } }]);
    const ofModel = steps[0]?.toolResults.find(({ toolName }) => toolName === "c");
    expect(ofModel?.output).not.toHaveProperty("structured");
  });

  it("gets no structured content that is for the user alone, invalid, or part of an error", async () => {
    const structured = async (answer: object) => {
      const { host } = await openBank({
        balance: { definition: { outputSchema }, answer: () => answer },
      });
      const call = { toolCallId: "program-1", messages: [] };
      return createTools(host).balance?.execute({}, call);
    };
    const answer = { content: [], structuredContent: { balance: 12 } };
    expect(await structured(answer)).toMatchObject({ structured: { balance: 12 } });
    for (const other of [
      { ...answer, content: [text("12", FOR_USER)] },
      { ...answer, structuredContent: { balance: "x" } },
      { ...answer, isError: true },
    ])
      expect(await structured(other)).not.toHaveProperty("structured");
  });

  it("gets the structured content of a tool without an output schema", async () => {
    const { host } = await openBank({ balance: { answer: BALANCE.balance.answer } });
    const output = await createTools(host).balance?.execute({}, {
      toolCallId: "program-1",
    } as never);
    expect(output).toMatchObject({ structured: { balance: 7 } });
  });

  it.each(runs)(
    "ends no run by handing on what was shown to the user alone ($name)",
    async ({ run }) => {
      const answer = () => ({ content: [text("12", FOR_USER)] });
      const { host } = await openBank({ balance: { answer } });
      const program = major.sdk.tool({
        inputSchema: major.sdk.jsonSchema({ type: "object" }),
        execute: (_, options) =>
          settings.tools.balance?.execute({}, { ...options, toolCallId: "program-1" }),
      });
      const model = scriptModel(major, [{ tool: "program" }], ["final"]);
      const chaining = { onHop: () => {} };
      const made = chained(host, model, { tools: { program }, chaining });
      const settings = made as unknown as { tools: Tools };
      await run(major, made);
      expect(model.calls).toBe(2);
      expect(JSON.stringify(model.prompts)).not.toContain('"12"');
    },
  );

  it("reaches no tool that models are not offered", async () => {
    const { server, host } = await openBank(BALANCE);
    const { model } = scriptModel(major, ["hi"]);
    const { tools } = withChaining(host, { model, chaining: { tools: ["c"] } });
    const call = { toolCallId: "program-1", messages: [] };
    await expect(tools.balance?.execute({}, call)).rejects.toMatchObject({
      code: "not-allowed",
    });
    expect(server.calls).toEqual([]);
  });

  it("needs no messages", async () => {
    const { server, host } = await openBank(BALANCE);
    const { balance } = createTools(host);
    const call = { toolCallId: "program-1" } as never;
    expect(await balance?.needsApproval({}, call)).toBe(false);
    expect(await balance?.execute({}, call)).toMatchObject({ ended: "complete" });
    expect(server.calls).toEqual(["balance", "c"]);
  });
});
