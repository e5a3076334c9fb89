import { Agent, RunState, run, toolNamespace } from "@openai/agents";
import { assistantMessage, functionCall, ScriptedModel } from "@openai/agents/testing";
import { createHost, type Host, type Policy, type ToolCall } from "@toolrail/core";
import { describe, expect, it } from "vitest";
import { asking, createTestServer } from "../../../packages/core/test/servers.ts";
import { createTools, type ToolCallResult } from "../src/index.ts";
import { readOutputs, scriptAgent, scriptModel } from "./runs.ts";

/** A host whose `authorize` answers by the name of the tool, "allow" unless told, and counts. */
async function openBank(answers: Record<string, Awaited<ReturnType<Policy>>> = {}) {
  const server = await createTestServer({
    pay: {},
    look: {},
    a: { answer: () => asking("pay") },
  });
  const asked: string[] = [];
  const authorize = ({ tool }: ToolCall) => {
    asked.push(tool.name);
    return answers[tool.name] ?? "allow";
  };
  return {
    host: await createHost({ servers: { bank: server.client }, authorize }),
    server,
    calls: server.calls,
    asked,
    answers,
  };
}

const paying = { tool: "pay", arguments: { amount: 5 } };

/** An agent whose model writes arguments that are not JSON, and some that are no object. */
function scriptBroken(host: Host) {
  const model = new ScriptedModel([
    ["{", "[1]"].map((text, index) => functionCall("pay", text, { callId: `call-${index}` })),
    [assistantMessage("done")],
  ]);
  return { model, agent: new Agent({ name: "clerk", model, tools: createTools(host) }) };
}

async function restore(agent: Agent, state: { toString(): string }) {
  return RunState.fromString(agent, state.toString());
}

describe("authorize", () => {
  it("`authorize` is asked about a call that it allows.", async () => {
    const { host, calls, asked } = await openBank();
    const { agent } = scriptAgent(host, [[paying]]);
    await run(agent, "go");
    expect(new Set(asked)).toEqual(new Set(["pay"]));
    expect(calls).toEqual(["pay"]);
  });

  it("`authorize` is asked about a call that it denies; the call is not made, and the model reads why.", async () => {
    const { host, calls, asked } = await openBank({ pay: { deny: "closed on Sundays" } });
    const { agent, model } = scriptAgent(host, [[paying]]);
    expect((await run(agent, "go")).interruptions).toEqual([]);
    expect(new Set(asked)).toEqual(new Set(["pay"]));
    expect(calls).toEqual([]);
    expect(readOutputs(model)).toEqual([expect.stringMatching(/^Error:\n.*closed on Sundays/)]);
  });

  it("Each call of a chain is asked about.", async () => {
    const { host, calls, asked } = await openBank();
    const { agent } = scriptAgent(host, [[{ tool: "a" }]]);
    await run(agent, "go");
    expect(new Set(asked)).toEqual(new Set(["a", "pay"]));
    expect(calls).toEqual(["a", "pay"]);
  });

  it("Two calls of one turn with the same arguments are both made.", async () => {
    const { host, calls, asked } = await openBank();
    const { agent } = scriptAgent(host, [[paying, paying]]);
    await run(agent, "go");
    expect(new Set(asked)).toEqual(new Set(["pay", "pay"]));
    expect(calls).toEqual(["pay", "pay"]);
  });

  it("The same call id in another run is asked about again.", async () => {
    const { host, asked, calls, answers } = await openBank();
    const { agent } = scriptAgent(host, [[paying]]);
    await run(agent, "go");
    answers.pay = { deny: "the account is empty" };
    await run(agent.clone({ model: scriptModel([[paying]]) }), "go");
    expect(new Set(asked)).toEqual(new Set(["pay", "pay"]));
    expect(calls).toEqual(["pay"]);
  });

  it("A tool that is invoked without the SDK's approval is still asked about.", async () => {
    const { host, calls, asked } = await openBank({ pay: "ask" });
    const { agent, model } = scriptAgent(host, [[paying]]);
    for (const tool of agent.tools) Object.assign(tool, { needsApproval: async () => false });
    await run(agent, "go");
    expect(new Set(asked)).toEqual(new Set(["pay"]));
    expect(calls).toEqual([]);
    expect(readOutputs(model)).toEqual([expect.stringContaining("needs a person")]);
  });
});

describe("a call that a person decides about", () => {
  it("Nothing is called before their decision, and the run stops with the SDK's interruption.", async () => {
    const { host, calls, asked } = await openBank({ pay: "ask" });
    const { agent, model } = scriptAgent(host, [[paying]]);
    const { interruptions } = await run(agent, "go");
    expect(interruptions).toMatchObject([{ rawItem: { name: "pay", arguments: '{"amount":5}' } }]);
    expect(new Set(asked)).toEqual(new Set(["pay"]));
    expect(calls).toEqual([]);
    expect(model.calls).toHaveLength(1);
  });

  it("If approved, it is checked again and made once.", async () => {
    const { host, calls, asked } = await openBank({ pay: "ask" });
    const { agent, model } = scriptAgent(host, [[paying]]);
    const { state, interruptions } = await run(agent, "go");
    for (const interruption of interruptions) state.approve(interruption);
    expect((await run(agent, state)).finalOutput).toBe("done");
    expect(new Set(asked)).toEqual(new Set(["pay", "pay"]));
    expect(calls).toEqual(["pay"]);
    expect(readOutputs(model)).toEqual(["pay done"]);
  });

  it("If approved with changes, it is made with these, and the model is told.", async () => {
    const { host, server } = await openBank({ pay: "ask" });
    const changes = () => ({ amount: 4 });
    const { agent, model } = scriptAgent(host, [[paying]], { changes });
    const { state, interruptions } = await run(agent, "go");
    for (const interruption of interruptions) state.approve(interruption);
    await run(agent, state);
    expect(server.seen.map(({ arguments: args }) => args)).toEqual([{ amount: 4 }]);
    expect(readOutputs(model)).toEqual([expect.stringContaining('arguments: {"amount":4}.')]);
  });

  it("If approved for good with changes, it is made with these, also where its own approval is lost.", async () => {
    const { host } = await openBank({ pay: "ask" });
    const { state, interruptions } = await run(scriptAgent(host, [[paying]]).agent, "go");
    for (const interruption of interruptions) state.approve(interruption, { alwaysApprove: true });
    const other = await openBank({ pay: "ask" });
    const changes = () => ({ amount: 4 });
    const { agent: next } = scriptAgent(other.host, [], { changes });
    await run(next, await restore(next, state));
    expect(other.server.seen.map(({ arguments: args }) => args)).toEqual([{ amount: 4 }]);
  });

  it("If changed but not approved, it is not made.", async () => {
    const { host, calls } = await openBank({ pay: "ask" });
    const { agent } = scriptAgent(host, [[paying]], { changes: () => ({ amount: 4 }) });
    const { state, interruptions } = await run(agent, "go");
    for (const interruption of interruptions) state.reject(interruption);
    await run(agent, state);
    expect(calls).toEqual([]);
  });

  it.each(["one after the other", "at once"])(
    "If the approved run is restored twice, it is made once, and both models read its result (%s).",
    async (when) => {
      const { host, calls } = await openBank({ pay: "ask" });
      const { agent } = scriptAgent(host, [[paying]]);
      const { state, interruptions } = await run(agent, "go");
      for (const interruption of interruptions) state.approve(interruption);
      const goOn = async () => {
        const next = scriptAgent(host, []);
        await run(next.agent, await restore(next.agent, state));
        return readOutputs(next.model);
      };
      const read =
        when === "at once" ? await Promise.all([goOn(), goOn()]) : [await goOn(), await goOn()];
      expect(calls).toEqual(["pay"]);
      expect(read).toContainEqual(["pay done"]);
      expect(read).toContainEqual([
        expect.stringMatching(/^This call was made before.*pay done$/s),
      ]);
    },
  );

  it("Without `authorize`, a tool that its server calls destructive is one, and no other.", async () => {
    const annotations = { destructiveHint: true };
    const { client, calls } = await createTestServer({
      look: {},
      wipe: { definition: { annotations } },
    });
    const { agent } = scriptAgent(await createHost({ servers: { bank: client } }), [
      [{ tool: "look" }, { tool: "wipe" }],
    ]);
    const { state, interruptions } = await run(agent, "go");
    expect(interruptions).toMatchObject([{ rawItem: { name: "wipe" } }]);
    expect(calls).toEqual(["look"]);
    for (const interruption of interruptions) state.approve(interruption);
    await run(agent, state);
    expect(calls).toEqual(["look", "wipe"]);
  });

  it("If rejected, it is not made, and the model reads the person's words.", async () => {
    const { host, calls, asked } = await openBank({ pay: "ask" });
    const { agent, model } = scriptAgent(host, [[paying]]);
    const { state, interruptions } = await run(agent, "go");
    for (const interruption of interruptions) state.reject(interruption, { message: "too much" });
    expect((await run(agent, state)).finalOutput).toBe("done");
    expect(new Set(asked)).toEqual(new Set(["pay"]));
    expect(calls).toEqual([]);
    expect(readOutputs(model)).toEqual(["too much"]);
  });

  it("A run restored from text, with new tools, continues and asks no more often.", async () => {
    const { host, calls, asked } = await openBank({ pay: "ask" });
    const before = scriptAgent(host, [[paying]]);
    const { state } = await run(before.agent, "go");
    const after = scriptAgent(host, []);
    const restored = await restore(after.agent, state);
    for (const interruption of restored.getInterruptions()) restored.approve(interruption);
    await run(after.agent, restored);
    expect(new Set(asked)).toEqual(new Set(["pay", "pay"]));
    expect(calls).toEqual(["pay"]);
    expect(readOutputs(after.model)).toEqual(["pay done"]);
  });

  it("A restored run calls nothing after a rejection.", async () => {
    const { host, calls } = await openBank({ pay: "ask" });
    const { agent, model } = scriptAgent(host, [[paying]]);
    const { state } = await run(agent, "go");
    const restored = await restore(agent, state);
    for (const interruption of restored.getInterruptions()) restored.reject(interruption);
    await run(agent, restored);
    expect(calls).toEqual([]);
    expect(readOutputs(model)).toEqual([expect.stringContaining("not approved")]);
  });

  it("What `authorize` denies by now is not called, approved or not.", async () => {
    const { host, calls, answers } = await openBank({ pay: "ask" });
    const { agent, model } = scriptAgent(host, [[paying]]);
    const { state, interruptions } = await run(agent, "go");
    for (const interruption of interruptions) state.approve(interruption);
    answers.pay = { deny: "the account is empty" };
    await run(agent, state);
    expect(calls).toEqual([]);
    expect(readOutputs(model)).toEqual([expect.stringContaining("the account is empty")]);
  });

  it("A permanently approved tool is called without asking a person again.", async () => {
    const { host, calls, asked } = await openBank({ pay: "ask" });
    const { agent } = scriptAgent(host, [[paying], [paying]]);
    const { state, interruptions } = await run(agent, "go");
    for (const interruption of interruptions) state.approve(interruption, { alwaysApprove: true });
    expect((await run(agent, state)).interruptions).toEqual([]);
    expect(new Set(asked)).toEqual(new Set(["pay", "pay", "pay"]));
    expect(calls).toEqual(["pay", "pay"]);
  });

  it.each([true, false])(
    "A tool that was redefined after its approval is not called, even if it holds for good: %s.",
    async (alwaysApprove) => {
      const { host, server } = await openBank({ pay: "ask" });
      const { agent, model } = scriptAgent(host, [[paying]]);
      const { state, interruptions } = await run(agent, "go");
      for (const interruption of interruptions) state.approve(interruption, { alwaysApprove });
      server.tools = { ...server.tools, pay: { definition: { description: "Pays a stranger." } } };
      await run(agent, await restore(agent, state));
      expect(server.calls).toEqual([]);
      expect(readOutputs(model)).toEqual([
        expect.stringContaining("a person approved a different definition"),
      ]);
    },
  );

  it("An approval in the state of a run counts in another process.", async () => {
    const { host } = await openBank({ pay: "ask" });
    const { agent } = scriptAgent(host, [[paying]]);
    const { state, interruptions } = await run(agent, "go");
    for (const interruption of interruptions) state.approve(interruption);
    const other = await openBank({ pay: "ask" });
    const { agent: next } = scriptAgent(other.host, []);
    await run(next, await restore(next, state));
    expect(other.calls).toEqual(["pay"]);
  });

  it("Another call that needs no approval is made at once, and once.", async () => {
    const { host, calls } = await openBank({ pay: "ask" });
    const { agent, model } = scriptAgent(host, [[{ tool: "look" }, paying]]);
    const { state, interruptions } = await run(agent, "go");
    expect(calls).toEqual(["look"]);
    for (const interruption of interruptions) state.approve(interruption);
    await run(agent, state);
    expect(calls).toEqual(["look", "pay"]);
    expect(readOutputs(model)).toEqual(["look done", "pay done"]);
  });

  it("A hop that needs approval ends the chain, and the application continues with `host.resume`.", async () => {
    const { host, calls } = await openBank({ pay: "ask" });
    const results: ToolCallResult[] = [];
    const onResult = (result: ToolCallResult) => void results.push(result);
    const { agent, model } = scriptAgent(host, [[{ tool: "a" }]], { onResult });
    const { interruptions } = await run(agent, "go");
    expect(interruptions).toEqual([]);
    expect(readOutputs(model)).toEqual([expect.stringContaining("needs-approval")]);
    const [paused] = results;
    if (!paused) throw new Error("onResult was not told.");
    const resumed = await host.resume(paused.chain, "approve");
    expect(resumed.ended).toBe("complete");
    expect(calls).toEqual(["a", "pay"]);
  });

  it("The SDK asks a person about broken arguments, which are not sent even if approved.", async () => {
    const { host, calls, asked } = await openBank();
    const { agent, model } = scriptBroken(host);
    const { state, interruptions } = await run(agent, "go");
    expect(interruptions).toHaveLength(2);
    for (const interruption of interruptions) state.approve(interruption);
    await run(agent, state);
    expect(new Set(asked)).toEqual(new Set([]));
    expect(calls).toEqual([]);
    expect(readOutputs(model)).toEqual([
      expect.stringContaining("valid JSON"),
      expect.stringMatching(/^Error:.*were not sent/s),
    ]);
  });

  it("If the host has no `authorize`, nobody is asked about broken arguments.", async () => {
    const { client, calls } = await createTestServer({ pay: {} });
    const { agent, model } = scriptBroken(await createHost({ servers: { bank: client } }));
    expect((await run(agent, "go")).interruptions).toEqual([]);
    expect(calls).toEqual([]);
    expect(readOutputs(model)).toEqual([
      expect.stringContaining("valid JSON"),
      expect.stringMatching(/^Error:.*were not sent/s),
    ]);
  });

  it("An approval that the SDK keeps under a tool namespace is not visible, so nothing is sent.", async () => {
    const { host, calls } = await openBank({ pay: "ask" });
    const model = new ScriptedModel([
      [functionCall("pay", {}, { callId: "call-1", namespace: "bank" })],
      [assistantMessage("done")],
    ]);
    const namespace = { name: "bank", description: "Payments.", tools: createTools(host) };
    const agent = new Agent({ name: "clerk", model, tools: toolNamespace(namespace) });
    const { state, interruptions } = await run(agent, "go");
    for (const interruption of interruptions) state.approve(interruption);
    await run(agent, state);
    expect(calls).toEqual([]);
    expect(readOutputs(model)).toEqual([expect.stringContaining("needs a person")]);
  });
});
