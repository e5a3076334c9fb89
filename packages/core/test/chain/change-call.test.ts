import type { JsonObject } from "@toolrail/core/json";
import { describe, expect, it } from "vitest";
import type { Authorization } from "../../src/call/call-options.ts";
import {
  type ChainResult,
  createHost,
  type Decision,
  type HostEvent,
  type HostOptions,
  modelView,
  type ToolCall,
} from "../../src/index.ts";
import { asking, createTestServer } from "../servers.ts";

const PAY = {
  inputSchema: {
    type: "object",
    properties: { to: { type: "string" }, amount: { type: "number" } },
    required: ["to"],
  },
} as const;
const MALLORY = { to: "mallory", amount: 10 };
const BOB = { to: "bob", amount: 10 };
const MODEL = { origin: { by: "model" }, conversation: "c1", context: "ada" } as const;
const change = (args: JsonObject): Decision => ({ approve: { arguments: args } });

async function open(
  authorize: (call: ToolCall) => Authorization = () => "ask",
  options: Partial<HostOptions> = {},
) {
  const server = await createTestServer({
    pay: { definition: PAY },
    order: { answer: () => asking("pay", MALLORY) },
    read: {},
  });
  const events: HostEvent[] = [];
  const seen: ToolCall[] = [];
  const host = await createHost({
    servers: { bank: server.client },
    onEvent: (event) => void events.push(event),
    authorize(call) {
      seen.push(call);
      return authorize(call);
    },
    ...options,
  });
  const sent = () => server.seen.map(({ arguments: args }) => args);
  return { host, server, events, seen, sent };
}

type Opened = Awaited<ReturnType<typeof open>>;
const pay = ({ host }: Opened) => host.run({ tool: "pay", arguments: MALLORY }, MODEL);
const who = { context: "ada" };
const readText = (chain: ChainResult) =>
  modelView(chain)
    .content.map(({ text }) => text)
    .join("\n");

describe("a call that a person approves with changes", () => {
  it("is made with their arguments, and recorded as a change by a person", async () => {
    const opened = await open();
    const { host, events, sent } = opened;
    const chain = await host.resume(await pay(opened), change(BOB), who);
    expect(sent()).toEqual([BOB]);
    expect(chain).toMatchObject({
      ended: "complete",
      hops: [{ arguments: BOB, changedFrom: MALLORY }],
    });
    expect(events).toContainEqual(
      expect.objectContaining({ type: "call", stage: "record", changed: true }),
    );
  });

  it("tells the model in one sentence which arguments were used", async () => {
    const opened = await open();
    const { host } = opened;
    const chain = await host.resume(await pay(opened), change(BOB), who);
    expect(readText(chain)).toMatch(
      /^The person who approved this call changed its arguments: \{"to":"bob","amount":10\}\.\n/,
    );
    const plain = await host.resume(await pay(opened), "approve", who);
    expect(readText(plain)).not.toContain("changed");
  });

  it("keeps what the person leaves as it was", async () => {
    const { host, sent } = await open();
    const chain = await host.run({ tool: "pay", arguments: MALLORY }, { origin: { by: "model" } });
    const less = { ...chain.pending?.arguments, amount: 20 };
    await host.resume(chain, { approve: { arguments: less } });
    expect(sent()).toEqual([{ to: "mallory", amount: 20 }]);
  });

  it("is not asked about again if a policy asks, and not made if one denies", async () => {
    const opened = await open(({ arguments: { to } }) => (to === "eve" ? { deny: "no" } : "ask"));
    const { host, sent } = opened;
    expect((await host.resume(await pay(opened), change(BOB), who)).ended).toBe("complete");
    const denied = await host.resume(await pay(opened), change({ to: "eve" }), who);
    expect(denied).toMatchObject({ ended: "denied", error: { code: "denied" } });
    expect(sent()).toEqual([BOB]);
  });

  it("still waits if the arguments do not fit, says why, and sends nothing", async () => {
    const opened = await open();
    const { host, sent } = opened;
    const again = await host.resume(await pay(opened), change({ amount: 1 }), who);
    expect(again).toMatchObject({
      ended: "needs-approval",
      pending: { arguments: MALLORY, problem: expect.stringMatching(/bank\.pay.*"?to/) },
      error: { code: "needs-approval", message: expect.stringContaining("were not sent") },
    });
    expect(sent()).toEqual([]);
    const chain = await host.resume(again, change(BOB), who);
    expect(chain).toMatchObject({ ended: "complete", hops: [{ changedFrom: MALLORY }] });
    expect(sent()).toEqual([BOB]);
  });

  it("is made as it was after a change that did not fit, if the person then says yes to it", async () => {
    const opened = await open();
    const again = await opened.host.resume(await pay(opened), change({ amount: 1 }), who);
    const chain = await opened.host.resume(again, "approve", who);
    expect(chain).toMatchObject({ ended: "complete", hops: [{ arguments: MALLORY }] });
  });

  it("is a plain approval if nothing differs", async () => {
    const opened = await open();
    const chain = await opened.host.resume(await pay(opened), change({ ...MALLORY }), who);
    expect(chain.hops[0]?.changedFrom).toBeUndefined();
  });

  it("continues with its chain, as a hop", async () => {
    const opened = await open(({ tool }) => (tool.name === "pay" ? "ask" : "allow"));
    const { host, sent } = opened;
    const paused = await host.run({ tool: "order" }, MODEL);
    const chain = await host.resume(paused, change(BOB), who);
    expect(chain.hops.map(({ arguments: args }) => args)).toEqual([{}, BOB]);
    expect(sent()).toEqual([{}, BOB]);
  });
});

describe("the approval of a changed call", () => {
  const forge = (chain: ChainResult, more: object) =>
    ({ ...chain, pending: { ...chain.pending, ...more } }) as ChainResult;

  it("is spent with it: the call as it was and another change get its result", async () => {
    const opened = await open();
    const { host, sent } = opened;
    const paused = await pay(opened);
    await host.resume(paused, change(BOB), who);
    const plain = await host.resume(paused, "approve", who);
    const other = await host.resume(paused, change({ to: "eve" }), who);
    for (const { hops } of [plain, other]) {
      expect(hops).toMatchObject([{ madeBefore: true, arguments: BOB, changedFrom: MALLORY }]);
    }
    expect(sent()).toEqual([BOB]);
  });

  it("makes no second call with a change after the call as it was", async () => {
    const opened = await open();
    const { host, sent } = opened;
    const paused = await pay(opened);
    await host.resume(paused, "approve", who);
    const again = await host.resume(paused, change(BOB), who);
    expect(again.hops).toMatchObject([{ madeBefore: true, arguments: MALLORY }]);
    expect(again.hops[0]?.changedFrom).toBeUndefined();
    expect(sent()).toEqual([MALLORY]);
  });

  it("holds for no other user, and no other conversation", async () => {
    const opened = await open();
    const { host, sent } = opened;
    const paused = await pay(opened);
    const eve = await host.resume(paused, change(BOB), { context: "eve" });
    const moved = await host.resume(forge(paused, { conversation: "c2" }), change(BOB), who);
    expect([eve, moved].map(({ error }) => error?.code)).toEqual(["denied", "denied"]);
    expect(sent()).toEqual([]);
  });

  it("never goes to another tool or server", async () => {
    const opened = await open();
    const { host, server } = opened;
    const paused = await pay(opened);
    const other = await host.resume(forge(paused, { tool: "read" }), change({}), who);
    expect(other).toMatchObject({ ended: "denied", error: { code: "tool-changed" } });
    const decision = { approve: { arguments: BOB, tool: "read", server: "x" } } as Decision;
    await host.resume(paused, decision, who);
    expect(server.calls).toEqual(["pay"]);
  });

  it("is not made of a kept chain in which somebody has written other arguments", async () => {
    const opened = await open();
    const { host, sent } = opened;
    const paused = await pay(opened);
    const forged = forge(paused, { arguments: { to: "eve" }, changedFrom: MALLORY });
    for (const word of ["approve", change(BOB)] as const) {
      expect(await host.resume(forged, word, who)).toMatchObject({
        error: { code: "tool-changed" },
      });
    }
    expect(sent()).toEqual([]);
  });

  it("does not hold once the tool has another definition", async () => {
    const opened = await open();
    const { host, server, sent } = opened;
    const paused = await pay(opened);
    server.tools = { pay: { definition: { ...PAY, description: "Pays twice." } } };
    const chain = await host.resume(paused, change(BOB), who);
    expect(chain).toMatchObject({ error: { code: "tool-changed" } });
    expect(sent()).toEqual([]);
  });

  it.each([{ approve: {} }, { approve: { arguments: "x" } }, { approve: true }, { approve: null }])(
    "is no decision without arguments: %j",
    async (decision) => {
      const opened = await open();
      const outcome = opened.host.resume(await pay(opened), decision as never, who);
      await expect(outcome).rejects.toMatchObject({ code: "invalid-options" });
    },
  );
});
