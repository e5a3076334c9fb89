import { describe, expect, it } from "vitest";
import { createTestServer } from "../../core/test/servers.ts";
import { asksFor, CHAIN, chained, openBank, openHost, USER } from "./bank.ts";
import { majorNamed, scriptModel } from "./majors.ts";
import { answerTo, toolOutputs, track } from "./reading.ts";
import { generate } from "./runs.ts";

const major = majorNamed("ai 7");

describe("toolApproval of ai 7 under withChaining", () => {
  it.each([
    ["by name", { b: "user-approval" }],
    ["by a function by name", { b: () => "user-approval" }],
    [
      "by one function",
      ({ toolCall }: { toolCall: { toolName: string } }) =>
        toolCall.toolName === "b" ? "user-approval" : undefined,
    ],
  ])("A toolApproval %s asks, beside authorize.", async (_, toolApproval) => {
    const server = await createTestServer(CHAIN);
    const host = await openHost(server, asksFor("c"));
    const model = scriptModel(major, [{ tool: "a" }], ["final"]);
    const first = await generate(major, chained(host, model, { toolApproval, messages: [USER] }));
    expect(track(first)).toEqual(["model[a]", "hop[b]"]);
    const asked = [USER, ...first.messages];
    const messages = [...asked, answerTo(asked, true)];
    const second = await generate(major, chained(host, model, { toolApproval, messages }));
    expect(track(second)).toEqual(["hop[c]"]);
    expect(server.calls).toEqual(["a", "b"]);
  });

  it.each([
    ["one function", () => undefined],
    ["a function by name", { b: () => undefined }],
    ["a word by name", { b: "not-applicable" }],
    ["an object by name", { b: { type: "not-applicable" } }],
    ["another tool's name", { c: () => undefined }],
  ])("The decision is left to authorize if %s has nothing to say.", async (_, toolApproval) => {
    const { server, host } = await openBank(CHAIN, asksFor("b"));
    const model = scriptModel(major, [{ tool: "a" }], ["final"]);
    const { messages } = await generate(major, chained(host, model, { toolApproval }));
    expect(JSON.stringify(messages)).toContain("tool-approval-request");
    expect(server.calls).toEqual(["a"]);
  });

  it("A call that only toolApproval asks about is made once, however often its approved history is posted.", async () => {
    const { server, host } = await openBank({ a: {} });
    const model = scriptModel(major, [{ tool: "a" }], ["final"]);
    const more = { toolApproval: { a: "user-approval" } };
    const first = await generate(major, chained(host, model, { ...more, messages: [USER] }));
    const asked = [USER, ...first.messages];
    const messages = [...asked, answerTo(asked, true)];
    for (const _ of [1, 2]) await generate(major, chained(host, model, { ...more, messages }));
    expect(server.calls).toEqual(["a"]);
  });

  it("A toolApproval that says yes by itself does not replace authorize.", async () => {
    const { server, host } = await openBank(CHAIN, asksFor("b"));
    const model = scriptModel(major, [{ tool: "a" }], ["final"]);
    await generate(major, chained(host, model, { toolApproval: () => "approved" }));
    expect(server.calls).toEqual(["a"]);
    expect(toolOutputs(model.prompts.at(-1))).toMatchObject([{ type: "error-text" }]);
  });

  it("A toolApproval may refuse a hop with a reason, and the results before it are kept.", async () => {
    const { server, host } = await openBank(CHAIN);
    const model = scriptModel(major, [{ tool: "a" }], ["final"]);
    const toolApproval = { b: () => ({ type: "denied", reason: "not on Sundays" }) };
    await generate(major, chained(host, model, { toolApproval }));
    expect(server.calls).toEqual(["a"]);
    expect(toolOutputs(model.prompts.at(-1))).toMatchObject([
      { type: "error-text", value: expect.stringMatching(/^a result\n.*not on Sundays/) },
    ]);
  });

  it.each([
    ["one function", () => undefined],
    ["the tool's name", { late: () => undefined }],
  ])(
    "A tool that is listed while the run continues is left to authorize too: %s.",
    async (_, own) => {
      const { server, host } = await openBank({ a: {} }, asksFor("late"));
      server.tools.a = {
        async answer() {
          server.tools = { ...server.tools, late: {} };
          await host.refresh();
        },
      };
      const model = scriptModel(major, [{ tool: "a" }], [{ tool: "late" }], ["final"]);
      const { messages } = await generate(major, chained(host, model, { toolApproval: own }));
      expect(JSON.stringify(messages)).toContain("tool-approval-request");
      expect(server.calls).toEqual(["a"]);
    },
  );
});
