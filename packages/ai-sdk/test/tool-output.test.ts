import { createHost } from "@toolrail/core";
import { describe, expect, it } from "vitest";
import { asking, createTestServer } from "../../core/test/servers.ts";
import { createTools } from "../src/index.ts";
import { isToolOutput } from "../src/page.ts";

/** The output of a tool, as a page gets it. */
async function outputOf(name: string): Promise<unknown> {
  const { client } = await createTestServer({
    find: { answer: () => asking("pay", {}) },
    fail: { answer: () => ({ content: [{ type: "text", text: "closed" }], isError: true }) },
    pay: {},
  });
  const host = await createHost({
    servers: { bank: client },
    authorize: ({ tool }) => (tool.name === "pay" ? { deny: "not today" } : "allow"),
  });
  const options = { toolCallId: "1", messages: [] };
  return JSON.parse(JSON.stringify(await createTools(host)[name]?.execute({}, options)));
}

describe("isToolOutput", () => {
  it("lets a page see the error of a tool, and of a hop that was not made", async () => {
    const failed = await outputOf("fail");
    expect(isToolOutput(failed) && failed.isError).toBe(true);
    const output = await outputOf("find");
    if (!isToolOutput(output)) throw new Error("no output of Toolrail");
    expect(output).toMatchObject({ isError: true, ended: "denied", error: { code: "denied" } });
    expect(output.error?.message).toContain("not today");
  });

  it.each([undefined, null, "text", [], {}, { content: [], hops: [] }])(
    "is false for what is no output of Toolrail: %j",
    (value) => {
      expect(isToolOutput(value)).toBe(false);
    },
  );
});
