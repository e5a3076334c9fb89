import type { Hop } from "@toolrail/core";
import { createNextTool } from "@toolrail/server";
import { describe, expect, it } from "vitest";
import { createTestServer } from "../../packages/core/test/servers.ts";
import { everyWay } from "./frameworks.ts";
import { BANK, HANDOFF_REASON, LOCKED, objectOf, open, received, text } from "./servers.ts";

const transferFrom = (fromAccountId: string) => ({
  tool: "prepare_money_transfer",
  arguments: { fromAccountId, toAccountId: "acc_savings_001", amount: 50 },
});
const FROM_LOCKED = transferFrom("acc_checking_001");
const HANDOFF = ["request_agent_handoff", { reason: HANDOFF_REASON }];

describe.each(everyWay)("locked account detection in $name", ({ ask }) => {
  const transfer = async () => {
    const { server, host } = await open(BANK);
    const run = await ask(host, { turns: [[FROM_LOCKED], "An agent will help you."] });
    return { server, run };
  };

  it("1. User Selects Account: the transfer reaches the server with the account", async () => {
    const { server } = await transfer();
    expect(received(server)[0]).toEqual([FROM_LOCKED.tool, FROM_LOCKED.arguments]);
  });

  it("2., 3. User Notification: the user reads that the account is locked, and the model does not", async () => {
    const { run } = await transfer();
    expect(run.shown).toEqual([`I'm sorry, but ${LOCKED}.`]);
    expect(run.read.join()).not.toContain("currently locked");
  });

  it("4. Automatic Chaining: `_meta.nextTool` instructs the client to call `request_agent_handoff`", async () => {
    const { server } = await transfer();
    expect(server.calls).toEqual(["prepare_money_transfer", "request_agent_handoff"]);
  });

  it("5. Context Passed: the reason includes specific details about which account is locked", async () => {
    const { server } = await transfer();
    expect(received(server)[1]).toEqual(HANDOFF);
    expect(HANDOFF_REASON).toContain("Primary Checking (acc_checking_001)");
  });

  it("6. Agent Handoff Initiated: its connection options are presented", async () => {
    const { run } = await transfer();
    expect(run.read.at(-1)).toContain("An agent can be reached by chat or by phone.");
    expect(run.answer).toBe("An agent will help you.");
  });

  it("7. No LLM Reasoning Required: no model is asked between the two calls", async () => {
    const { run } = await transfer();
    expect(run.read).toHaveLength(2);
    expect(run.read[0]).not.toContain("request_agent_handoff");
  });

  it("Deterministic: same input always produces same tool chain", async () => {
    const chains = await Promise.all(
      [1, 2, 3].map(async () => received((await transfer()).server)),
    );
    expect(new Set(chains.map((chain) => JSON.stringify(chain))).size).toBe(1);
  });

  it("Continue with normal transfer flow if account is not locked", async () => {
    const { server, host } = await open(BANK);
    const run = await ask(host, { turns: [[transferFrom("acc_savings_001")], "done"] });
    expect(server.calls).toEqual(["prepare_money_transfer"]);
    expect(run.shown).toEqual([]);
    expect(run.read[1]).toContain("The transfer is prepared.");
  });

  it("`name` (required): the exact name of the tool to invoke next, as this page also calls it", async () => {
    const nextTool = { name: "b", arguments: { reason: "r" } };
    const { server, host } = await open({
      a: { answer: () => ({ ...text("on"), _meta: { nextTool } }) },
      b: { definition: { inputSchema: objectOf({ reason: { type: "string" } }) } },
    });
    await ask(host, { turns: [[{ tool: "a" }], "done"] });
    expect(received(server)[1]).toEqual(["b", { reason: "r" }]);
  });

  it("The exact name: no other tool is called in its place", async () => {
    const { server, host } = await open({
      a: { answer: () => ({ ...text("on"), _meta: { nextTool: { tool: "B" } } }) },
      b: {},
    });
    await ask(host, { turns: [[{ tool: "a" }], "done"] });
    expect(server.calls).toEqual(["a"]);
  });

  it.each([
    ["tool and name disagree", { tool: "b", name: "c" }],
    ["a text instead of an object", "b"],
    ["arguments that are no object", { tool: "b", arguments: "reason" }],
    ["no name", { arguments: {} }],
    ["(departure) a member that the pattern does not have", { tool: "b", if: "locked" }],
  ])("Type-safe: a nextTool that is not as specified is not followed: %s", async (_, nextTool) => {
    const { server, host } = await open({
      a: { answer: () => ({ ...text("on"), _meta: { nextTool } }) },
      b: {},
      c: {},
    });
    const run = await ask(host, { turns: [[{ tool: "a" }], "done"] });
    expect(server.calls).toEqual(["a"]);
    expect(run.read[1]).toContain("malformed");
  });

  it("Multiple tools share the same business logic: each calls it via `nextTool`", async () => {
    const more = { ...BANK, close_account: { answer: BANK.prepare_money_transfer?.answer } };
    const { server, host } = await open(more as typeof BANK);
    const close = { tool: "close_account", arguments: { fromAccountId: "acc_checking_001" } };
    await ask(host, { turns: [[FROM_LOCKED], [close], "done"] });
    expect(received(server).filter(([name]) => name === "request_agent_handoff")).toEqual([
      HANDOFF,
      HANDOFF,
    ]);
  });
});

describe("the pattern on a host by itself", () => {
  it("Compliance requires audit trails: each call is recorded, with who asked for it", async () => {
    const events: object[] = [];
    const { host } = await open(BANK, { onEvent: (event) => void events.push(event) });
    const chain = await host.run(FROM_LOCKED);
    const [first, second] = chain.hops as [Hop, Hop];
    expect(chain.hops.map(({ tool }) => tool)).toEqual([FROM_LOCKED.tool, HANDOFF[0]]);
    expect(second.origin).toMatchObject({ by: "chain", causedBy: first.callId, depth: 1 });
    const recorded = events.filter((event) => "stage" in event && event.stage === "record");
    expect(recorded).toMatchObject([
      { tool: "bank.prepare_money_transfer", callId: first.callId, runId: chain.runId },
      { tool: "bank.request_agent_handoff", callId: second.callId, runId: chain.runId },
    ]);
  });

  it("The pattern is written with the helper for servers", async () => {
    const { server } = await createTestServer(BANK);
    const _meta = await createNextTool(server)("request_agent_handoff", { reason: HANDOFF_REASON });
    expect(_meta).toEqual({
      nextTool: { tool: "request_agent_handoff", arguments: { reason: HANDOFF_REASON } },
    });
  });
});
