import { createHost, type ToolCall } from "@toolrail/core";
import { createNextTool } from "@toolrail/server";
import { describe, expect, it } from "vitest";
import { asking, createTestServer, type TestTool } from "../../packages/core/test/servers.ts";
import { everyWay, frameworks } from "./frameworks.ts";
import { objectOf, open, received, SUPPORT, text } from "./servers.ts";

const FIRST = [{ tool: "a" }];
const NUMBER = { inputSchema: objectOf({ id: { type: "number" } }) };

/** Tools that each name the next one: `a` names `b`, and so on, without an end. */
function endless(): Record<string, TestTool> {
  const names = [..."abcdefgh"];
  return Object.fromEntries(
    names.map((name, at) => [name, { answer: () => asking(names[at + 1] ?? "a", { from: name }) }]),
  );
}

describe.each(everyWay)("the proposal of nextTool in $name", ({ ask }) => {
  it("Tool A analyses the issue, and Tool B manages the handoff with structured arguments", async () => {
    const { server, host } = await open(SUPPORT);
    const first = { tool: "check_account_issue", arguments: { customerId: "12345" } };
    const run = await ask(host, { turns: [[first], "done"] });
    expect(received(server)).toEqual([
      ["check_account_issue", { customerId: "12345" }],
      [
        "initiate_human_handoff",
        { customerId: "12345", issueType: "account_locked", urgency: "high" },
      ],
    ]);
    expect(run.read).toHaveLength(2);
    expect(run.read[1]).toContain("This account lockout requires specialist assistance.");
    expect(run.read[1]).toContain("Ticket T-1 was created.");
  });

  it("Clients receiving `nextTool` MUST automatically call the specified tool with provided arguments", async () => {
    const { server, host } = await open({
      a: { answer: () => asking("b", { id: 7 }) },
      b: { definition: NUMBER },
    });
    const run = await ask(host, { turns: [FIRST, "done"] });
    expect(received(server)).toEqual([
      ["a", {}],
      ["b", { id: 7 }],
    ]);
    expect(run.answer).toBe("done");
  });

  it("Arguments of `nextTool` are optional", async () => {
    const { server, host } = await open({ a: { answer: () => asking("b") }, b: {} });
    await ask(host, { turns: [FIRST, "done"] });
    expect(received(server)).toEqual([
      ["a", {}],
      ["b", {}],
    ]);
  });

  it.each([
    ["of another type", { id: "seven" }],
    ["that are missing", {}],
    ["that the schema does not have", { id: 7, other: 1 }],
  ])(
    "Clients MUST validate suggested arguments against tool schema: those %s are not sent",
    async (_, args) => {
      const { server, host } = await open({
        a: { answer: () => asking("b", args) },
        b: { definition: NUMBER },
      });
      const run = await ask(host, { turns: [FIRST, "done"] });
      expect(server.calls).toEqual(["a"]);
      expect(run.read[1]).toContain("more to come");
      expect(run.read[1]).toContain("invalid-arguments");
    },
  );

  it("Clients MUST implement depth limits (recommended: 5 levels)", async () => {
    const { server, host } = await open(endless());
    const run = await ask(host, { turns: [FIRST, "done"] });
    expect(server.calls).toEqual(["a", "b", "c", "d", "e"]);
    expect(run.read).toHaveLength(2);
    expect(run.read[1]).toContain("depth-limit");
  });

  it("Clients MUST detect circular chains", async () => {
    const { server, host } = await open({
      a: { answer: () => asking("b", { n: 1 }) },
      b: { answer: () => asking("a", {}) },
    });
    const run = await ask(host, { turns: [FIRST, "done"] });
    expect(server.calls).toEqual(["a", "b"]);
    expect(run.read[1]).toContain("cycle");
  });

  it("Chained tools MUST undergo normal authorization checks: each hop by itself", async () => {
    const asked: unknown[] = [];
    const authorize = ({ tool, arguments: args, origin }: ToolCall) => {
      asked.push([tool.name, args, origin.by]);
      return tool.name === "c" ? { deny: "not this one" } : ("allow" as const);
    };
    const tools = {
      a: { answer: () => asking("b", { n: 1 }) },
      b: { answer: () => asking("c", { n: 2 }) },
      c: {},
    };
    const { server, host } = await open(tools, { authorize });
    const run = await ask(host, { turns: [FIRST, "done"] });
    expect(server.calls).toEqual(["a", "b"]);
    expect(asked).toContainEqual(["a", {}, "model"]);
    expect(asked).toContainEqual(["b", { n: 1 }, "chain"]);
    expect(asked).toContainEqual(["c", { n: 2 }, "chain"]);
    expect(run.read[1]).toContain("denied");
  });

  it("Error Recovery: Database auth fails → refresh credentials", async () => {
    const { server, host } = await open({
      query: { answer: () => ({ ...asking("refresh", {}, "auth failed"), isError: true }) },
      refresh: { answer: () => text("credentials refreshed") },
    });
    const run = await ask(host, { turns: [[{ tool: "query" }], "done"] });
    expect(server.calls).toEqual(["query", "refresh"]);
    expect(run.read[1]).toContain("auth failed");
    expect(run.read[1]).toContain("credentials refreshed");
  });

  it("Conditional Workflows: the result decides which tool follows", async () => {
    const { server, host } = await open({
      detect: { answer: ({ arguments: { type } }) => asking(`extract_${type}`, { type }) },
      extract_invoice: {},
      extract_letter: {},
    });
    const turns = ["letter", "invoice"].map((type) => [{ tool: "detect", arguments: { type } }]);
    await ask(host, { turns: [...turns, "done"] });
    expect(server.calls).toEqual(["detect", "extract_letter", "detect", "extract_invoice"]);
  });

  it("Departure: a result that breaks the output schema of its tool is followed by nothing", async () => {
    const outputSchema = objectOf({ id: { type: "number" } });
    const answer = () => ({ ...asking("b"), structuredContent: { id: "one" } });
    const { server, host } = await open({ a: { definition: { outputSchema }, answer }, b: {} });
    await ask(host, { turns: [FIRST, "done"] });
    expect(server.calls).toEqual(["a"]);
  });

  it("Old servers don't include the field: nothing follows, and the model decides", async () => {
    const { server, host } = await open({ a: {}, b: {} });
    const run = await ask(host, { turns: [FIRST, [{ tool: "b" }], "done"] });
    expect(server.calls).toEqual(["a", "b"]);
    expect(run.read).toHaveLength(3);
  });

  it('OpenAI Apps SDK: `_meta["openai/nextTool"]` is followed as well', async () => {
    const _meta = { "openai/nextTool": { tool: "b", arguments: { id: 7 } } };
    const { server, host } = await open({
      a: { answer: () => ({ ...text("on"), _meta }) },
      b: { definition: NUMBER },
    });
    await ask(host, { turns: [FIRST, "done"] });
    expect(server.calls).toEqual(["a", "b"]);
  });

  it("Servers MUST only specify tools they expose: a host refuses any other", async () => {
    const { server, host } = await open({ a: { answer: () => asking("hidden") } });
    const run = await ask(host, { turns: [FIRST, "done"] });
    expect(server.calls).toEqual(["a"]);
    expect(run.read[1]).toContain("unknown-tool");
  });
});

describe.each(frameworks)("a hop that waits in $name", ({ ask }) => {
  it.each([true, false])(
    "Multi-Stage Approvals: a hop waits for a person, who says %s",
    async (isApproved) => {
      const tools = {
        submit: { answer: () => asking("pay", { amount: 900 }, "over the threshold") },
        pay: {},
      };
      const authorize = ({ tool }: ToolCall) => (tool.name === "pay" ? "ask" : "allow");
      const { server, host } = await open(tools, { authorize });
      const run = await ask(host, { turns: [[{ tool: "submit" }], "done"] });
      expect(server.calls).toEqual(["submit"]);
      expect(run.waiting).toEqual([{ tool: "pay", arguments: { amount: 900 } }]);
      expect(run.read).toHaveLength(1);
      const end = await run.decide(isApproved);
      expect(received(server).slice(1)).toEqual(isApproved ? [["pay", { amount: 900 }]] : []);
      expect(end.answer).toBe("done");
    },
  );

  it("Departure: a destructive hop waits for a person if no policy is set", async () => {
    const pay = { definition: { annotations: { destructiveHint: true } } };
    const server = await createTestServer({ a: { answer: () => asking("pay") }, pay });
    const host = await createHost({ servers: { bank: server.client } });
    const run = await ask(host, { turns: [FIRST, "done"] });
    expect(run.waiting).toEqual([{ tool: "pay", arguments: {} }]);
    expect(server.calls).toEqual(["a"]);
  });
});

describe("the depth limit and the end of a chain", () => {
  it.each([1, 2, 5, 7])(
    "Departure: at the depth limit (%i) the chain ends and keeps every result",
    async (maxChainDepth) => {
      const { server, host } = await open(endless(), { limits: { maxChainDepth } });
      const { ended, hops } = await host.run({ tool: "a" });
      expect(ended).toBe("depth-limit");
      expect(hops).toHaveLength(maxChainDepth);
      expect(server.calls).toHaveLength(maxChainDepth);
    },
  );

  it("A circular chain ends with its reason, and its results are kept", async () => {
    const { host } = await open({ a: { answer: () => asking("a", {}) } });
    expect(await host.run({ tool: "a" })).toMatchObject({
      ended: "cycle",
      hops: [{ tool: "a" }],
      error: { code: "chain-cycle" },
    });
  });

  it("The same tool with other arguments is no circle", async () => {
    const { server, host } = await open({
      page: {
        answer: ({ arguments: { at = 0 } }) =>
          Number(at) < 3 ? asking("page", { at: Number(at) + 1 }) : text("the end"),
      },
    });
    expect(await host.run({ tool: "page" })).toMatchObject({ ended: "complete" });
    expect(server.calls).toHaveLength(4);
  });
});

describe("Backward Compatibility", () => {
  it("Old clients ignore `_meta.nextTool` and rely on LLM reasoning", async () => {
    const server = await createTestServer(SUPPORT);
    const args = { customerId: "12345" };
    const result = await server.client.callTool({ name: "check_account_issue", arguments: args });
    expect(result.content).toEqual(
      text("This account lockout requires specialist assistance.").content,
    );
    expect(server.calls).toEqual(["check_account_issue"]);
  });

  it("No protocol version negotiation required", async () => {
    const server = await createTestServer(SUPPORT);
    expect(server.client.getServerCapabilities()).toEqual({ tools: { listChanged: true } });
    const host = await createHost({ servers: { bank: server.client } });
    const args = { customerId: "12345" };
    const chain = await host.run({ tool: "check_account_issue", arguments: args });
    expect(chain.ended).toBe("complete");
    expect(server.calls).toEqual(["check_account_issue", "initiate_human_handoff"]);
  });
});

describe("Server Implementation", () => {
  it("nextTool has the form of the proposal", async () => {
    const { server } = await createTestServer(SUPPORT);
    const args = { customerId: "1", issueType: "account_locked", urgency: "high" };
    expect(await createNextTool(server)("initiate_human_handoff", args)).toEqual({
      nextTool: { tool: "initiate_human_handoff", arguments: args },
    });
  });

  it("Servers MUST only specify tools they expose in their tool list", async () => {
    const { server } = await createTestServer(SUPPORT);
    await expect(createNextTool(server)("hidden")).rejects.toMatchObject({ code: "unknown-tool" });
  });

  it("Servers MUST provide complete, valid arguments for the next tool", async () => {
    const nextTool = createNextTool((await createTestServer(SUPPORT)).server);
    for (const args of [{}, { customerId: 1, issueType: "x", urgency: "high" }]) {
      await expect(nextTool("initiate_human_handoff", args)).rejects.toMatchObject({
        code: "invalid-arguments",
      });
    }
  });
});
