import { createAgent, createMiddleware, tool } from "langchain";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { asking } from "../../core/test/servers.ts";
import { chainMiddleware, createTools } from "../src/index.ts";
import { openBank, QUESTION } from "./graphs.ts";
import { calling, ScriptedModel } from "./scripted-model.ts";

async function openWarned() {
  const warnings: unknown[] = [];
  const tools = { a: { answer: () => asking("b", {}, "a result") }, b: {} };
  const { host, server } = await openBank(tools, {
    onEvent: (event) => void (event.type === "warning" && warnings.push(event.code)),
  });
  return { host, server, warnings };
}

describe("an agent with chainMiddleware", () => {
  it.each([
    ["no tools", async () => []],
    ["the tools of another host", async () => createTools((await openBank({ other: {} })).host)],
    ["tools of the same names of another host", async () => createTools((await openWarned()).host)],
  ])("that has %s warns once", async (_, toTools) => {
    const { host, warnings } = await openWarned();
    const middleware = [chainMiddleware(host)] as const;
    const model = new ScriptedModel("first", "second");
    const agent = createAgent({ model, tools: await toTools(), middleware });
    await agent.invoke(QUESTION);
    await agent.invoke(QUESTION);
    expect(warnings).toEqual(["no-host-tools"]);
  });

  it("is refused if it has a tool of its own with the name of the host's, before a model is asked", async () => {
    const { host, server } = await openWarned();
    const own = tool(() => "own", { name: "a", description: "own", schema: z.object({}) });
    for (const tools of [
      [own, ...createTools(host)],
      [...createTools(host), own],
    ]) {
      const model = new ScriptedModel([calling("a")], "final");
      const agent = createAgent({ model, tools, middleware: [chainMiddleware(host)] });
      await expect(agent.invoke(QUESTION)).rejects.toMatchObject({
        cause: { code: "invalid-options" },
        message: expect.stringMatching(/"a".*bank\.a.*`prefix: true`/),
      });
      expect(model.read).toEqual([]);
    }
    expect(server.calls).toEqual([]);
  });

  it("warns of nothing if it has tools of its host, or the host has none", async () => {
    const { host, server, warnings } = await openWarned();
    const model = new ScriptedModel([calling("a")], "final");
    const [first] = createTools(host, { tools: ["bank.a"] });
    const noTools = createMiddleware({
      name: "NoToolsAfterACall",
      wrapModelCall: (request, handler) =>
        handler({ ...request, tools: request.messages.length > 1 ? [] : request.tools }),
    });
    const middleware = [noTools, chainMiddleware(host)] as const;
    const tools = first ? [first] : [];
    await createAgent({ model, tools, middleware }).invoke(QUESTION);
    expect(server.calls).toEqual(["a", "b"]);
    const empty = await openBank({}, { onEvent: ({ type }) => void warnings.push(type) });
    const alone = [chainMiddleware(empty.host)] as const;
    await createAgent({ model: new ScriptedModel("done"), tools: [], middleware: alone }).invoke(
      QUESTION,
    );
    expect(warnings).toEqual([]);
  });
});
