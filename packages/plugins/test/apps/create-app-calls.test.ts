import type { Store, ToolCall } from "@toolrail/core";
import { createAppCalls } from "@toolrail/plugins/apps";
import { afterEach, describe, expect, it, vi } from "vitest";
import { callOf, DESK, openShop, request } from "./open-shop.ts";

const ok = (result: unknown) => ({ response: { jsonrpc: "2.0", id: 1, result } });
const failed = (code: number, own: string) => ({
  response: { id: 1, error: { code, data: { code: own } } },
});
const done = (tool: string) => ok({ content: [{ type: "text", text: `${tool} done` }] });

/** The id and the call of an answer that waits. */
function waiting(answer: unknown) {
  expect(answer).toHaveProperty("pending");
  return answer as { readonly id: string; readonly pending: Record<string, unknown> };
}

afterEach(() => vi.restoreAllMocks());

/** A store of JSON that never drops a value by itself. */
function keeping(): Store {
  const kept = new Map<string, string>();
  return {
    get: (key) => JSON.parse(kept.get(key) ?? "null") ?? undefined,
    set: (key, value) => void kept.set(key, JSON.stringify(value)),
    delete: (key) => kept.delete(key),
  };
}

describe("a call of an app", () => {
  it("passes all stages as the app's own, and gets the whole result of its tool", async () => {
    const seen: ToolCall[] = [];
    const { calls, events, shop } = await openShop({
      app: { context: { user: "ann" } },
      authorize(call) {
        seen.push(call);
        return "allow";
      },
    });
    expect(await calls.answer(callOf("find_order", { order: 7 }))).toEqual(
      ok({
        content: [{ type: "text", text: "Label R-7", annotations: { audience: ["user"] } }],
        structuredContent: { order: 7 },
        _meta: { "shop/token": "t" },
      }),
    );
    const origin = { by: "app", server: "shop", uri: DESK };
    expect(seen).toMatchObject([{ origin, conversation: "chat-1", context: { user: "ann" } }]);
    expect(events).toContainEqual(expect.objectContaining({ stage: "record", origin }));
    expect(shop.calls).toEqual(["find_order"]);
  });

  it("reaches tools that are for apps alone", async () => {
    const { calls } = await openShop();
    expect(await calls.answer(callOf("refresh"))).toEqual(done("refresh"));
  });

  it("is not followed by another that its result asks for, and an event says so", async () => {
    const answer = () => ({ content: [], _meta: { nextTool: { tool: "refund" } } });
    const { calls, shop, events } = await openShop({ tools: { pick: { answer } } });
    expect(await calls.answer(callOf("pick"))).toMatchObject(ok({ content: [] }));
    expect(shop.calls).toEqual(["pick"]);
    expect(events).toContainEqual(expect.objectContaining({ type: "not-followed" }));
  });

  it("gets a result with `isError` as it is, and an output that breaks its schema as an error", async () => {
    const isError = { content: [{ type: "text", text: "Closed." }], isError: true };
    const { calls } = await openShop({
      tools: {
        closed: { answer: () => isError },
        wrong: {
          definition: { outputSchema: { type: "object", required: ["order"] } },
          answer: () => ({ content: [], structuredContent: { secret: 1 } }),
        },
      },
    });
    expect(await calls.answer(callOf("closed"))).toEqual(ok(isError));
    const answer = await calls.answer(callOf("wrong"));
    expect(answer).toMatchObject(ok({ isError: true, content: [{ type: "text" }] }));
    expect(JSON.stringify(answer)).not.toContain("secret");
  });

  it("reads what is wrong with its arguments, and that a policy denies it", async () => {
    const inputSchema = { type: "object", required: ["order"] };
    const { calls, shop } = await openShop({
      tools: { strict: { definition: { inputSchema } } },
      authorize: ({ tool }) => (tool.name === "refund" ? { deny: "not here" } : "allow"),
    });
    expect(await calls.answer(callOf("strict"))).toMatchObject(failed(-32602, "invalid-arguments"));
    expect(await calls.answer(callOf("refund"))).toMatchObject(failed(-32000, "denied"));
    expect(shop.calls).toEqual([]);
  });

  it("is cancelled with its signal", async () => {
    const leaving = new AbortController();
    let stopped = false;
    const { calls } = await openShop({
      tools: {
        slow: {
          answer: (_, signal) =>
            new Promise((_resolve, reject) => {
              signal?.addEventListener("abort", () => {
                stopped = true;
                reject(signal.reason);
              });
              leaving.abort();
            }),
        },
      },
    });
    const { signal } = leaving;
    expect(await calls.answer(callOf("slow"), { signal })).toMatchObject(failed(-32000, "aborted"));
    expect(stopped).toBe(true);
  });
});

describe("a call of an app that a person decides on", () => {
  it("waits, is made once when they approve, and answers the request of the app", async () => {
    const { calls, shop } = await openShop();
    const { id, pending } = waiting(await calls.answer(callOf("refund", { order: 7 })));
    expect(pending).toMatchObject({ server: "shop", tool: "refund", arguments: { order: 7 } });
    expect(pending.reason).toBe("its server says that it may delete or overwrite something");
    expect(shop.calls).toEqual([]);
    expect(await calls.decide(id, "approve")).toEqual(done("refund"));
    expect(await calls.decide(id, "approve")).toMatchObject({
      response: { error: { message: /^Nothing waits/ } },
    });
    expect(shop.calls).toEqual(["refund"]);
  });

  it("is made once if they approve it twice at the same moment", async () => {
    const { calls, shop } = await openShop();
    const { id } = waiting(await calls.answer(callOf("refund")));
    await Promise.all([calls.decide(id, "approve"), calls.decide(id, "approve")]);
    expect(shop.calls).toEqual(["refund"]);
  });

  it("is refused if they deny it", async () => {
    const { calls, shop } = await openShop();
    const { id } = waiting(await calls.answer(callOf("refund")));
    const answer = await calls.decide(id, { deny: "the user said no" });
    expect(answer).toMatchObject(failed(-32000, "denied"));
    expect(answer).toMatchObject({ response: { error: { message: /the user said no/ } } });
    expect(shop.calls).toEqual([]);
  });

  it("is made with the arguments that they change, and waits again if these do not fit", async () => {
    const sent: unknown[] = [];
    const definition = {
      annotations: { destructiveHint: true },
      inputSchema: { type: "object", properties: { order: { type: "number" } } },
    };
    const answer = (args: unknown) => void sent.push(args);
    const { calls } = await openShop({ tools: { refund: { definition, answer } } });
    const first = waiting(await calls.answer(callOf("refund", { order: 7 })));
    const wrong = { approve: { arguments: { order: "eight" } } };
    const second = waiting(await calls.decide(first.id, wrong));
    expect(second.pending).toMatchObject({ arguments: { order: 7 }, problem: expect.any(String) });
    const changed = { approve: { arguments: { order: 8 } } };
    expect(await calls.decide(second.id, changed)).toEqual(done("refund"));
    expect(sent).toEqual([{ order: 8 }]);
  });

  it("keeps waiting after a decision that cannot be one", async () => {
    const { calls } = await openShop();
    const { id } = waiting(await calls.answer(callOf("refund")));
    expect(await calls.decide(id, "yes" as never)).toMatchObject(failed(-32602, "invalid-options"));
    expect(await calls.decide(id, "approve")).toEqual(done("refund"));
  });

  it("is not made if they say no and yes at the same moment and the no comes first", async () => {
    const { calls, shop } = await openShop();
    const { id } = waiting(await calls.answer(callOf("refund")));
    const [, second] = await Promise.all([
      calls.decide(id, { deny: "the user said no" }),
      calls.decide(id, "approve"),
    ]);
    expect(second).toMatchObject({ response: { error: { message: /^Nothing waits/ } } });
    expect(shop.calls).toEqual([]);
  });

  it("waits no longer than its time, even if the store still has it", async () => {
    const { calls, shop } = await openShop({ store: keeping(), limits: { pendingHopTtlMs: 1 } });
    const { id } = waiting(await calls.answer(callOf("refund")));
    const nowMs = performance.now();
    vi.spyOn(performance, "now").mockReturnValue(nowMs + 2);
    expect(await calls.decide(id, "approve")).toMatchObject({
      response: { error: { message: /^Nothing waits/ } },
    });
    expect(shop.calls).toEqual([]);
  });

  it("can be decided on by another process that shares the store", async () => {
    const store = keeping();
    const [one, two] = [await openShop({ store }), await openShop({ store })];
    const { id } = waiting(await one.calls.answer(callOf("refund")));
    expect(await two.calls.decide(id, "approve")).toEqual(done("refund"));
    expect([one.shop.calls, two.shop.calls]).toEqual([[], ["refund"]]);
  });

  it("waits for the answers to what its server asks, too", async () => {
    const form = { message: "Why?", requestedSchema: { type: "object", properties: { why: {} } } };
    const interim = {
      resultType: "input_required",
      inputRequests: { why: { method: "elicitation/create", params: form } },
      requestState: "s",
    };
    let isAsked = false;
    const { calls } = await openShop({
      tools: {
        why: {
          answer: () => {
            const told = isAsked ? undefined : interim;
            isAsked = true;
            return told;
          },
        },
      },
    });
    const { id } = waiting(await calls.answer(callOf("why")));
    const input = { why: { action: "accept", content: { why: "Too small" } } } as const;
    expect(await calls.decide(id, { input })).toEqual(done("why"));
  });
});

describe("what an app reads", () => {
  it("are the tools that it may call, as its server lists them", async () => {
    const { calls } = await openShop();
    const { response } = (await calls.answer(request("tools/list"))) as {
      response: { result: { tools: { name: string }[] } };
    };
    const { tools } = response.result;
    expect(tools.map(({ name }) => name)).toEqual([
      ...["open_desk", "find_order", "refund", "refresh"],
    ]);
    expect(tools[1]).toEqual({
      name: "find_order",
      title: "Find",
      inputSchema: { type: "object" },
      outputSchema: { type: "object" },
    });
  });

  it("are resources of its server, and their list", async () => {
    const { calls } = await openShop();
    expect(await calls.answer(request("resources/read", { uri: "shop://2" }))).toEqual(
      ok({ contents: [{ uri: "shop://2", text: "This is shop://2." }] }),
    );
    expect(await calls.answer(request("resources/list"))).toEqual(
      ok({ resources: [{ uri: "shop://1", name: "One" }] }),
    );
  });

  it("are no resources if the host reads none, and the error says what is missing", async () => {
    const { calls } = await openShop({ use: [] });
    const answer = await calls.answer(request("resources/list"));
    expect(answer).toMatchObject(failed(-32000, "not-allowed"));
    expect(answer).toMatchObject({ response: { error: { message: /use: \[resources\(\)\]/ } } });
  });
});

describe("createAppCalls", () => {
  it("refuses options that do not exist, and a conversation that is not stated", async () => {
    const { host, openApp } = await openShop();
    expect(() => openApp({ visible: true } as object)).toThrow(/has no option "visible"/);
    expect(() => openApp({ conversation: "" })).toThrow(/"conversation" .* not empty/);
    expect(() => openApp({ uri: "" })).toThrow(/needs the server of the app/);
    expect(() => openApp({ maxRequestsPerMinute: Number.NaN })).toThrow(
      /must be a number; it is NaN/,
    );
    expect(() => openApp({ maxRequestsPerMinute: 0 })).toThrow(/room for at least one/);
    expect(() => createAppCalls({ ...host }, { server: "a", uri: "b", conversation: "c" })).toThrow(
      /This is not a host/,
    );
  });
});
