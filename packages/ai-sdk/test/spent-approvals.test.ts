import type { Host } from "@toolrail/core";
import type { ModelMessage, ToolApprovalResponse } from "ai";
import { describe, expect, it } from "vitest";
import { MemoryStore } from "../../core/src/call/store.ts";
import { createTestServer } from "../../core/test/servers.ts";
import { withSingleStep } from "../src/guard/index.ts";
import { createTools, withChaining } from "../src/index.ts";
import { CHAIN, openBank, openHost, USER } from "./bank.ts";
import { majors, scriptModel } from "./majors.ts";
import { answerTo } from "./reading.ts";
import { generate } from "./runs.ts";

const outputSchema = { type: "object", properties: { paid: { type: "number" } } };
const PAY = {
  definition: { inputSchema: { type: "object", properties: {} }, outputSchema },
  answer: () => ({ content: [], structuredContent: { paid: 1 } }),
};

const ways = [
  {
    way: "createTools",
    result: '"paid":1',
    compose: (host: Host, model: unknown): object => ({ model, tools: createTools(host) }),
  },
  {
    way: "withChaining",
    result: '"paid":1',
    compose: (host: Host, model: unknown): object => withChaining(host, { model }),
  },
  {
    way: "withSingleStep",
    result: '"paid":1',
    compose: (host: Host, model: unknown): object =>
      withSingleStep(host, { model, singleStep: { allow: ["*.*"], queryId: "q1" } }),
  },
];

const kinds = [
  { kind: "signed", more: { experimental_toolApprovalSecret: "0123456789abcdef0123456789abcdef" } },
  { kind: "unsigned", more: {} },
];

const asks = { authorize: () => "ask" as const };

describe.each(
  majors.flatMap((major) =>
    ways.flatMap((way) => kinds.map((kind) => ({ ...way, ...kind, major, name: major.name }))),
  ),
)("An approval ($kind) under $way on $name", ({ compose, major, more, result }) => {
  const run = (host: Host, messages: ModelMessage[], { asks = false } = {}) => {
    const { model } = scriptModel(major, ...(asks ? [[{ tool: "pay" }]] : []), ["final"]);
    const settings = { ...more, ...compose(host, model), messages };
    return generate(major, { stopWhen: major.sdk.stepCountIs(3), ...settings } as never);
  };
  const pause = async (host: Host): Promise<ModelMessage[]> => {
    const asked = [USER, ...(await run(host, [USER], { asks: true })).messages];
    return [...asked, answerTo(asked, true)];
  };

  it("makes one call if the same history is posted twice, one after the other.", async () => {
    const { server, host } = await openBank({ pay: PAY }, asks);
    const approved = await pause(host);
    const first = await run(host, approved);
    const second = await run(host, approved);
    expect(server.calls).toEqual(["pay"]);
    expect(JSON.stringify(first.messages)).toContain("paid");
    expect(JSON.stringify(second.messages).replaceAll("\\", "")).toContain(result);
  });

  it("makes one call if the same history is posted twice at once, and both runs get its result.", async () => {
    const { server, host } = await openBank({ pay: PAY }, asks);
    const approved = await pause(host);
    for (const { messages } of await Promise.all([run(host, approved), run(host, approved)]))
      expect(JSON.stringify(messages).replaceAll("\\", "")).toContain(result);
    expect(server.calls).toEqual(["pay"]);
  });

  it("makes one call in two processes that share a store.", async () => {
    const shared = { ...asks, store: new Map() };
    const { server, host } = await openBank({ pay: PAY }, shared);
    const approved = await pause(host);
    await run(host, approved);
    await run(await openHost(server, shared), approved);
    expect(server.calls).toEqual(["pay"]);
  });
});

describe.each(majors)("An approval on $name", (major) => {
  const runIn = (
    host: Host,
    conversation: string,
    messages: ModelMessage[],
    turn: readonly unknown[],
  ) => {
    const { model } = scriptModel(major, ...(turn as never[]), ["final"]);
    const settings = { ...withChaining(host, { model, chaining: { conversation } }), messages };
    return generate(major, settings as never);
  };
  const pauseIn = async (host: Host, conversation: string, messages: ModelMessage[] = [USER]) => {
    const { messages: more } = await runIn(host, conversation, messages, [
      [{ tool: "pay", id: "call-1" }],
    ]);
    const asked = [...messages, ...more];
    return [...asked, answerTo(more, true)];
  };

  it("makes no call if the same message also refuses it.", async () => {
    const { server, host } = await openBank({ pay: PAY }, asks);
    const approved = await pauseIn(host, "c1");
    const [yes] = (approved.pop() as ModelMessage).content as ToolApprovalResponse[];
    const both = [yes, { ...yes, approved: false }] as ToolApprovalResponse[];
    for (const content of [both, both.toReversed()]) {
      await runIn(host, "c1", [...approved, { role: "tool", content }], []);
    }
    expect(server.calls).toEqual([]);
  });

  it("makes no second call in another conversation, and shows its result there to nobody.", async () => {
    const { server, host } = await openBank({ pay: PAY }, asks);
    const approved = await pauseIn(host, "c1");
    await runIn(host, "c1", approved, []);
    const other = await runIn(host, "c2", approved, []);
    expect(server.calls).toEqual(["pay"]);
    expect(JSON.stringify(other.messages)).not.toContain("paid");
  });

  it("is one for each question of two chats without names, though their calls look the same.", async () => {
    const { server, host } = await openBank({ pay: PAY }, asks);
    const run = (messages: ModelMessage[], turn: readonly unknown[] = []) => {
      const { model } = scriptModel(major, ...(turn as never[]), ["final"]);
      return generate(major, { model, tools: createTools(host), messages } as never);
    };
    const pause = async () => {
      const asked = [USER, ...(await run([USER], [[{ tool: "pay", id: "call_0" }]])).messages];
      return [...asked, answerTo(asked, true)];
    };
    const [ann, bob] = [await pause(), await pause()];
    await run(ann);
    await run(bob);
    expect(server.calls).toEqual(["pay", "pay"]);
  });

  it("is one for each question in a window of the history in which ids repeat.", async () => {
    const { server, host } = await openBank({ pay: PAY }, asks);
    for (const _ of [1, 2, 3]) await runIn(host, "c1", await pauseIn(host, "c1"), []);
    expect(server.calls).toEqual(["pay", "pay", "pay"]);
  });

  it("counts no more once a run has seen that the person denied it.", async () => {
    const { server, host } = await openBank({ pay: PAY }, asks);
    const approved = await pauseIn(host, "c1");
    const denied = [...approved.slice(0, -1), answerTo(approved.slice(0, -1), false)];
    await runIn(host, "c1", denied, []);
    await runIn(host, "c1", approved, []);
    expect(server.calls).toEqual([]);
  });

  it("is separate for each conversation and for each new call, although models repeat their ids.", async () => {
    const { server, host } = await openBank({ pay: PAY }, asks);
    const [one, other] = [await pauseIn(host, "c1"), await pauseIn(host, "c2")];
    const first = await runIn(host, "c1", one, []);
    await runIn(host, "c2", other, []);
    expect(server.calls).toEqual(["pay", "pay"]);
    const again = await pauseIn(host, "c1", [...one, ...first.messages, USER]);
    await runIn(host, "c1", again, []);
    expect(server.calls).toEqual(["pay", "pay", "pay"]);
  });

  it("makes none of the hops a second time that follow from its call, one after the other or at once.", async () => {
    const server = await createTestServer(CHAIN);
    const host = await openHost(server, {
      authorize: ({ tool }) => (tool.name === "a" ? "ask" : "allow"),
    });
    const run = (messages: ModelMessage[], turn: readonly unknown[] = []) => {
      const { model } = scriptModel(major, ...(turn as never[]), ["final"]);
      return generate(major, { ...withChaining(host, { model }), messages } as never);
    };
    const asked = [USER, ...(await run([USER], [[{ tool: "a" }]])).messages];
    const approved = [...asked, answerTo(asked, true)];
    await Promise.all([run(approved), run(approved)]);
    const { text, messages } = await run(approved);
    expect(server.calls).toEqual(["a", "b", "c"]);
    expect(text).toBe("final");
    expect(JSON.stringify(messages)).toContain("c result");
  });
});

it.each(majors)(
  "A call that nobody was asked about is never taken for another, though models repeat their ids, on $name",
  async (major) => {
    const store = new MemoryStore({ maxBytes: 1e6, now: Date.now });
    const { server, host } = await openBank({ pay: PAY }, { store });
    for (const more of [{}, {}, { conversation: "c1" }, { conversation: "c1" }]) {
      const { model } = scriptModel(major, [{ tool: "pay", id: "call-1" }], ["final"]);
      await generate(major, { model, tools: createTools(host, more), messages: [USER] } as never);
    }
    expect(server.calls).toEqual(["pay", "pay", "pay", "pay"]);
  },
);
