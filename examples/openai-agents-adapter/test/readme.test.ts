import { run } from "@openai/agents";
import { createHost } from "@toolrail/core";
import { expect, it, vi } from "vitest";
import { asking, createTestServer } from "../../../packages/core/test/servers.ts";
import { inAnotherProcess, withApprovals, withoutKey } from "./readme-examples.ts";
import { readOutputs, scriptAgent, scriptModel } from "./runs.ts";

const letter = { type: "text", text: "Dear you", annotations: { audience: ["user"] } };

function openBank() {
  return createTestServer({
    balance: { answer: () => asking("letter") },
    letter: { answer: () => ({ content: [letter] }) },
    transfer: {},
  });
}

it("The example of approvals runs: each call is made once, and only if approved.", async () => {
  for (const [answer, made] of [
    [true, ["balance", "letter", "transfer"]],
    [false, ["balance", "letter"]],
  ] as const) {
    const { client: bank, calls } = await openBank();
    const shown: unknown[] = [];
    const finalOutput = await withApprovals({
      bank,
      model: scriptModel([[{ tool: "balance" }], [{ tool: "transfer" }]]),
      prompt: "Pay my rent.",
      askPerson: async () => answer,
      show: (content) => void shown.push(content),
    });
    expect(finalOutput).toBe("done");
    expect(calls).toEqual(made);
    expect(shown.flat()).toEqual([letter]);
  }
});

it("The example of a run that waited as text continues.", async () => {
  const { client: bank, calls } = await openBank();
  const host = await createHost({ servers: { bank }, authorize: () => "ask" });
  const { agent } = scriptAgent(host, [[{ tool: "transfer" }]]);
  const { state } = await run(agent, "go");
  expect(await inAnotherProcess(agent, state.toString())).toBe("done");
  expect(calls).toEqual(["transfer"]);
});

it("The example without a key runs.", async () => {
  const log = vi.spyOn(console, "log").mockImplementation(() => {});
  expect(readOutputs(await withoutKey())).toEqual([
    "find:\nfind was called\nThen open was called:\nopen was called",
  ]);
  expect(log).toHaveBeenCalledOnce();
  log.mockRestore();
});
