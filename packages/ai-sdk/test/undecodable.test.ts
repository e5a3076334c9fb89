import { createHost } from "@toolrail/core";
import { describe, expect, it } from "vitest";
import { createTestServer } from "../../core/test/servers.ts";
import { createTools } from "../src/index.ts";
import { majors, scriptModel } from "./majors.ts";
import { toolOutputs } from "./reading.ts";

const image = { type: "image", data: "!!", mimeType: "image/png" };

describe.each(majors)("media that cannot be decoded, on $name", (major) => {
  it.each(["generateText", "streamText"] as const)(
    "They are named to the model, and %s continues to its answer.",
    async (run) => {
      const { client } = await createTestServer({ a: { answer: () => ({ content: [image] }) } });
      const host = await createHost({ servers: { bank: client } });
      const script = scriptModel(major, [{ tool: "a" }], ["final"]);
      const stopWhen = [major.sdk.stepCountIs(5)];
      const settings = { model: script.model, tools: createTools(host), prompt: "hi", stopWhen };
      const { text } = await major.sdk[run](settings as never);
      expect(await text).toBe("final");
      expect(toolOutputs(script.prompts.at(-1))).toMatchObject([
        { value: "(content of type image/png that cannot be decoded)" },
      ]);
    },
  );
});
