import { createTools as aiSdkTools } from "@toolrail/ai-sdk";
import { createHost, type HostEvent } from "@toolrail/core";
import { createTools as langGraphTools } from "@toolrail/langgraph";
import { createAgent } from "langchain";
import { expect, it, onTestFinished } from "vitest";
import { majorNamed, scriptModel } from "../../packages/ai-sdk/test/majors.ts";
import { generate } from "../../packages/ai-sdk/test/runs.ts";
import { asking, createTestServer } from "../../packages/core/test/servers.ts";
import { calling, ScriptedModel } from "../../packages/langgraph/test/scripted-model.ts";

/** A bank whose `order` asks for `pay`, which a person has to approve. */
async function openBank(requireApproval = ["bank.pay"]) {
  const server = await createTestServer({ order: { answer: () => asking("pay") }, pay: {} });
  const events: HostEvent[] = [];
  const host = await createHost({
    servers: { bank: server.client },
    requireApproval,
    onEvent: (event) => events.push(event),
  });
  onTestFinished(() => host.close());
  const warnings = () => events.filter(({ type }) => type === "warning");
  return { host, server, warnings };
}

type Bank = Awaited<ReturnType<typeof openBank>>;

const ai7 = majorNamed("ai 7");

const runAiSdk = ({ host }: Bank, tool: string, options: object) => {
  const { model } = scriptModel(ai7, [{ tool }], ["done"]);
  const tools = aiSdkTools(host, options);
  const stopWhen = ai7.sdk.stepCountIs(5);
  return generate(ai7, { model, tools, prompt: "hi", stopWhen } as never);
};
const runLangChain = ({ host }: Bank, tool: string, options: object) => {
  const model = new ScriptedModel([calling(tool)], "done");
  const agent = createAgent({ model, tools: langGraphTools(host, options) });
  return agent.invoke({ messages: [{ role: "user", content: "hi" }] });
};

const WAYS = [
  { way: "createTools of the AI SDK", run: runAiSdk },
  { way: "createTools in createAgent", run: runLangChain },
];

it.each(WAYS)(
  "A chain in one call that would have to wait is reported once, unless `onResult` receives it: $way.",
  async ({ run }) => {
    const bank = await openBank();
    await run(bank, "order", {});
    await run(bank, "order", {});
    expect(bank.server.calls).toEqual(["order", "order"]);
    expect(bank.warnings()).toMatchObject([{ code: "cannot-wait" }]);

    const other = await openBank();
    const ends: string[] = [];
    const onResult = ({ chain }: { chain: { ended: string } }) => void ends.push(chain.ended);
    await run(other, "order", { onResult });
    expect(ends).toEqual(["needs-approval"]);
    expect(other.warnings()).toEqual([]);
  },
);

it.each(WAYS)("A chain that needs nobody is not reported: $way.", async ({ run }) => {
  const bank = await openBank([]);
  await run(bank, "order", {});
  expect(bank.server.calls).toEqual(["order", "pay"]);
  expect(bank.warnings()).toEqual([]);
});

it("A graph without a checkpointer whose call needs a person is reported once, and calls nothing.", async () => {
  const bank = await openBank();
  await runLangChain(bank, "pay", {});
  await runLangChain(bank, "pay", {});
  expect(bank.server.calls).toEqual([]);
  expect(bank.warnings()).toMatchObject([{ code: "cannot-wait" }]);
});
