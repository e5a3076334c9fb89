import { createTools } from "@toolrail/ai-sdk";
import { createHost } from "@toolrail/core";
import { stdio } from "@toolrail/core/connect";
import { generateText, stepCountIs } from "ai";
import { MockLanguageModelV4 } from "ai/test";
import { expect, it, vi } from "vitest";

it("The program of docs/ai-sdk.md lists the files of its folder, and its model reads them.", async () => {
  const log = vi.spyOn(console, "log").mockImplementation(() => {});

  const usage = {
    inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: 1, text: 1, reasoning: 0 },
  };
  const call = { toolCallId: "1", toolName: "list_directory", input: '{"path":"."}' };
  const model = new MockLanguageModelV4({
    doGenerate: [
      {
        content: [{ type: "tool-call", ...call }],
        finishReason: { unified: "tool-calls", raw: undefined },
        ...{ usage, warnings: [] },
      },
      {
        content: [{ type: "text", text: "That is all." }],
        finishReason: { unified: "stop", raw: undefined },
        ...{ usage, warnings: [] },
      },
    ],
  });
  const host = await createHost({
    servers: { files: stdio("npx", ["mcp-server-filesystem", "."]) },
  });
  const tools = createTools(host);
  const { text, steps } = await generateText({
    ...{ model, tools, prompt: "What is here?" },
    stopWhen: stepCountIs(5),
  });
  console.log(steps[0]?.toolResults[0]?.output); // its `content` is what the model read
  console.log(text);
  await host.close();

  const [[read], [said]] = log.mock.calls as [[unknown], [string]];
  expect(JSON.stringify(read)).toContain("[FILE] package.json");
  expect(said).toBe("That is all.");
  expect(JSON.stringify(model.doGenerateCalls[1]?.prompt)).toContain("[FILE] package.json");
});
