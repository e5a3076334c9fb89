import { describe, expect, it } from "vitest";
import { asking } from "../../core/test/servers.ts";
import { restoreOutputs } from "../src/restore-outputs.ts";
import { asksFor, CHAIN, chained, FOR_USER, openBank, openHost, text, USER } from "./bank.ts";
import { type Major, majors, scriptModel } from "./majors.ts";
import { answerTo, toolOutputs, track } from "./reading.ts";
import { generate } from "./runs.ts";

const IMAGE = { type: "image", data: "iVBORw0KGgo=", mimeType: "image/png" };

/** The messages as `convertToModelMessages` writes them without tools: outputs as JSON. */
function asJson(messages: readonly unknown[], outputs: ReadonlyMap<string, unknown>) {
  return (messages as { content: { type: string; toolCallId: string }[] }[]).map((message) =>
    Array.isArray(message.content)
      ? {
          ...message,
          content: message.content.map((part) =>
            part.type === "tool-result"
              ? { ...part, output: { type: "json", value: outputs.get(part.toolCallId) } }
              : part,
          ),
        }
      : message,
  );
}

describe.each(majors)("messages that were made without tools on $name", (major: Major) => {
  it("are read as if they had been made with them, media as media", async () => {
    const { host } = await openBank({
      a: { answer: () => asking("b", {}, "a result") },
      b: { answer: () => ({ content: [text("b result"), IMAGE, text("SECRET", FOR_USER)] }) },
    });
    const first = scriptModel(major, [{ tool: "a" }], ["final"]);
    const { steps, messages } = await generate(major, chained(host, first, { messages: [USER] }));
    const outputs = new Map(
      steps.flatMap(({ toolResults }) => toolResults).map((one) => [one.toolCallId, one.output]),
    );
    const told = [];
    for (const history of [messages, asJson(messages, outputs)]) {
      const model = scriptModel(major, ["again"]);
      await generate(major, chained(host, model, { messages: [USER, ...history, USER] }));
      told.push(toolOutputs(model.prompts[0]));
    }
    expect(told[1]).toEqual(told[0]);
    expect(JSON.stringify(told)).not.toMatch(/SECRET|callId|hops/);
  });

  it("go on with a chain, and end where all was for the user, all the same", async () => {
    const forUser = { answer: () => ({ content: [text("12.34", FOR_USER)] }) };
    const tools = { ...CHAIN, a: { answer: () => ({ ...asking("b"), content: [] }) }, b: forUser };
    const policy = { chainStore: new Map(), ...asksFor("z") };
    const { server, host } = await openBank({ ...tools, z: forUser }, policy);
    const first = scriptModel(major, [{ tool: "a" }, { tool: "z" }]);
    const { steps, messages } = await generate(major, chained(host, first, { messages: [USER] }));
    const outputs = new Map(steps[0]?.toolResults.map((one) => [one.toolCallId, one.output]));
    const asked = asJson([USER, ...messages], outputs) as never[];
    const model = scriptModel(major, ["final"]);
    const again = await generate(
      major,
      chained(await openHost(server, policy), model, {
        messages: [...asked, answerTo(asked, true)],
      }),
    );
    expect(track(again)[0]).toBe("hop[b]");
    expect(server.calls).toEqual(["a", "z", "b"]);
  });
});

describe("restoreOutputs", () => {
  const result = (toolName: string, value: unknown) => ({
    role: "tool",
    content: [{ type: "tool-result", toolCallId: "1", toolName, output: { type: "json", value } }],
  });
  const ours = { content: [{ type: "text", text: "x" }], isError: false, hops: [] };

  it("leaves other tools' JSON, JSON that is none of ours, and everything else as it is", () => {
    const messages = [
      USER,
      null,
      "text",
      result("local", ours),
      result("a", { n: 1 }),
      result("a", { ...ours, content: ["x"] }),
      result("a", null),
      result("toString", ours),
    ];
    expect(restoreOutputs(messages, { a: {} })).toBe(messages);
  });

  it("keeps an error an error", () => {
    const [restored] = restoreOutputs([result("a", { ...ours, isError: true })], { a: {} });
    expect(restored).toMatchObject({ content: [{ output: { type: "error-text", value: "x" } }] });
  });
});
