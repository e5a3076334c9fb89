import type { JsonObject } from "@toolrail/json";
import { describe, expect, it } from "vitest";
import {
  type ChainResult,
  createHost,
  type Decision,
  type HostEvent,
  type HostOptions,
  modelView,
  type ToolCall,
} from "../../src/index.ts";
import type { Authorization } from "../../src/types/tool-call.ts";
import { ACCEPTED, askingPort } from "../call/asking-port.ts";
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

  it("shows policies the changed arguments, and what was asked for", async () => {
    const opened = await open();
    const { host, seen } = opened;
    const paused = await host.run({ tool: "order" }, MODEL);
    const waiting = await host.resume(paused, "approve", who);
    await host.resume(waiting, change(BOB), who);
    expect(seen.at(-1)).toMatchObject({ arguments: BOB, changedFrom: MALLORY });
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

  it("stays the changed call if its server asks the user something first", async () => {
    const { port, calls } = askingPort();
    const host = await createHost({ servers: { bank: port }, authorize: () => "ask" });
    const asked = { amount: 5 };
    const paused = await host.run({ tool: "transfer", arguments: asked }, MODEL);
    const asking = await host.resume(paused, change({ amount: 4 }), who);
    expect(asking).toMatchObject({
      ended: "needs-input",
      pending: { arguments: { amount: 4 }, changedFrom: asked },
    });
    const chain = await host.resume(JSON.parse(JSON.stringify(asking)), ACCEPTED, who);
    expect(chain.hops).toMatchObject([{ arguments: { amount: 4 }, changedFrom: asked }]);
    expect(calls.map(({ arguments: args }) => args)).toEqual([{ amount: 4 }, { amount: 4 }]);
  });

  it("may be changed again if nobody knows whether it took effect", async () => {
    let isLost = true;
    const server = await createTestServer({
      pay: {
        definition: PAY,
        answer: async () => {
          if (isLost) await server.client.close();
          return { content: [] };
        },
      },
    });
    const next = await createTestServer(server.tools);
    const clients = [server.client, next.client];
    const host = await createHost({
      servers: { bank: async () => clients.shift() as typeof next.client },
      authorize: () => "ask",
    });
    const paused = await host.run({ tool: "bank.pay", arguments: MALLORY }, MODEL);
    const lost = await host.resume(paused, change(BOB), who);
    expect(lost).toMatchObject({
      error: { code: "outcome-unknown" },
      pending: { arguments: BOB, changedFrom: MALLORY, lostAttempts: 1 },
    });
    isLost = false;
    const chain = await host.resume(lost, change({ to: "ann" }), who);
    expect(chain.hops).toMatchObject([{ arguments: { to: "ann" }, changedFrom: MALLORY }]);
  });

  it("keeps what a person wrote from a model if the call is for the user alone", async () => {
    const opened = await open();
    const origin = { by: "model", forUserAlone: true } as const;
    const paused = await opened.host.run({ tool: "pay", arguments: MALLORY }, { ...MODEL, origin });
    const text = readText(await opened.host.resume(paused, change(BOB), who));
    expect(text).toContain("The person who approved this call changed its arguments.");
    expect(text).not.toContain("bob");
  });
});

describe("the approval of a changed call", () => {
  const forge = (chain: ChainResult, more: object) =>
    ({ ...chain, pending: { ...chain.pending, ...more } }) as ChainResult;

  it("is spent with it: neither the call as it was nor another change is made", async () => {
    const opened = await open();
    const { host, sent } = opened;
    const paused = await pay(opened);
    await host.resume(paused, change(BOB), who);
    const plain = await host.resume(paused, "approve", who);
    const other = await host.resume(paused, change({ to: "eve" }), who);
    expect([plain, other].map(({ error }) => error?.code)).toEqual(["denied", "denied"]);
    expect(plain.error?.message).toContain("used for a call with other arguments");
    expect(sent()).toEqual([BOB]);
    // The same change again is the same call.
    const same = await host.resume(paused, change(BOB), who);
    expect(same.hops).toMatchObject([{ madeBefore: true, arguments: BOB }]);
    expect(sent()).toEqual([BOB]);
  });

  it("makes no second call with a change after the call as it was", async () => {
    const opened = await open();
    const { host, sent } = opened;
    const paused = await pay(opened);
    await host.resume(paused, "approve", who);
    expect(await host.resume(paused, change(BOB), who)).toMatchObject({ ended: "denied" });
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

  it("is needed by a call that says it was changed", async () => {
    const { host, sent } = await open(() => "allow");
    const call = host.call({ tool: "pay", arguments: BOB }, { ...MODEL, changedFrom: MALLORY });
    await expect(call).rejects.toMatchObject({ code: "denied" });
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

  it("is not the answer to what a server asks the user", async () => {
    const paused = {
      ...{ runId: "1", ended: "needs-input", hops: [] },
      pending: { server: "bank", tool: "pay", arguments: MALLORY, origin: { by: "model" } },
    };
    const { host } = await open();
    const chain = {
      ...paused,
      pending: { ...paused.pending, inputRequest: { id: "1", requests: {} } },
    };
    const outcome = host.resume(chain as never, change(BOB), who);
    await expect(outcome).rejects.toMatchObject({ code: "invalid-options" });
  });
});
