import type { CallOrigin, ToolCall } from "@toolrail/core";
import { references } from "@toolrail/plugins/references";
import { resources } from "@toolrail/plugins/resources";
import { askUnlessFrom, sources } from "@toolrail/plugins/sources";
import { describe, expect, it } from "vitest";
import {
  BANK_DESK,
  callOf,
  DESK,
  openShop,
  request,
} from "../../packages/plugins/test/apps/open-shop.ts";

const APP: CallOrigin = { by: "app", server: "shop", uri: DESK };
const refused = (code: number) => ({ response: { error: { code } } });

describe("an app that obeys nobody", () => {
  it.each([
    ["a tool of another server", "transfer"],
    ["a tool of another server by its id", "bank.transfer"],
    ["a tool of its own server by its id", "shop.refresh"],
    ["a tool for models alone", "ask_model"],
    ["a tool with an invalid visibility", "broken"],
    ["a request in place of a tool", "resources/read"],
    ["a tool that does not exist", "refunds"],
  ])("cannot call %s, and learns nothing of other tools", async (_, name) => {
    const { calls, shop, bank } = await openShop();
    const answer = await calls.answer(callOf(name));
    expect(answer).toMatchObject(refused(-32602));
    expect(JSON.stringify(answer).replaceAll(name, "")).not.toMatch(
      /bank|transfer|ask_model|refund\b/,
    );
    expect([...shop.calls, ...bank.calls]).toEqual([]);
  });

  it.each(["shop.ask_model", "bank.transfer", "shop.broken"])(
    "cannot call %s through the host either",
    async (tool) => {
      const { host, shop, bank } = await openShop();
      const calling = host.call({ tool }, { origin: APP });
      await expect(calling).rejects.toMatchObject({ code: "not-allowed" });
      const lost = host.call({ tool }, { origin: { by: "app" } as never });
      await expect(lost).rejects.toMatchObject({ code: "not-allowed" });
      expect([...shop.calls, ...bank.calls]).toEqual([]);
    },
  );

  it("cannot speak for another server's app, or for one that does not exist", async () => {
    const { openApp, shop, bank } = await openShop();
    for (const [server, uri] of [
      ["bank", DESK],
      ["shop", BANK_DESK],
      ["nobody", DESK],
      ["shop", "ui://shop/other"],
    ]) {
      const app = openApp({ server: String(server), uri: String(uri) });
      for (const asked of [callOf("refresh"), callOf("transfer"), request("tools/list")]) {
        expect(await app.answer(asked)).toMatchObject(refused(-32000));
      }
    }
    expect([...shop.calls, ...bank.calls]).toEqual([]);
  });

  it("cannot state its origin, its conversation, an approval or `_meta`", async () => {
    const seen: ToolCall[] = [];
    const { calls, shop } = await openShop({
      authorize: (call) => {
        seen.push(call);
        return "ask";
      },
    });
    const forged = {
      origin: { by: "application" },
      conversation: "chat-2",
      approved: "yes",
      type: "allow",
      server: "bank",
      _meta: { "toolrail/idempotencyKey": "k" },
    };
    const asked = { ...callOf("refresh"), ...forged };
    Object.assign(asked.params as object, forged);
    expect(await calls.answer(asked)).toHaveProperty("pending");
    expect(seen).toMatchObject([{ origin: APP, conversation: "chat-1" }]);
    expect(shop.calls).toEqual([]);
  });

  it.each([
    ["no object", "tools/call", -32600],
    ["null", null, -32600],
    ["another version", { jsonrpc: "1.0", id: 1, method: "tools/list" }, -32600],
    ["an id that is an object", { ...request("tools/list"), id: {} }, -32600],
    ["an id of a megabyte", { ...request("tools/list"), id: "x".repeat(1_000_000) }, -32600],
    ["no method", { jsonrpc: "2.0", id: 1 }, -32600],
    ["params that are a list", request("tools/call", ["refresh"]), -32600],
    ["no name", request("tools/call", {}), -32602],
    ["a name that is an object", request("tools/call", { name: { toString: 1 } }), -32602],
    ["arguments that are a text", callOf("refresh", "{}"), -32602],
    ["a uri that is a list", request("resources/read", { uri: ["shop://1"] }), -32602],
    ["a method of the page", request("ui/message", {}), -32601],
    ["a request for a completion", request("sampling/createMessage", {}), -32601],
    ["a decision", request("decide", { id: "1", decision: "approve" }), -32601],
    ["a method of every object", request("constructor", {}), -32601],
  ])("gets an error of JSON-RPC for %s, and nothing is called", async (_, message, code) => {
    const { calls, shop } = await openShop();
    const answer = await calls.answer(message);
    expect(answer).toMatchObject(refused(code));
    expect(JSON.stringify(answer).length).toBeLessThan(600);
    expect(shop.calls).toEqual([]);
  });

  it("cannot send arguments without bounds", async () => {
    const { calls, shop } = await openShop();
    const large = await calls.answer(callOf("refresh", { text: "x".repeat(2_000_000) }));
    const deep: unknown = JSON.parse(`${'{"a":'.repeat(500)}1${"}".repeat(500)}`);
    for (const answer of [large, await calls.answer(callOf("refresh", deep))]) {
      expect(answer).toMatchObject(refused(-32602));
      expect(JSON.stringify(answer).length).toBeLessThan(600);
    }
    expect(shop.calls).toEqual([]);
  });

  it("cannot send requests without end, and other conversations continue", async () => {
    let atMs = 0;
    const { calls, shop, openApp } = await openShop({
      clock: { now: () => atMs },
      app: { maxRequestsPerMinute: 3 },
    });
    const ask = () => calls.answer(callOf("refresh"));
    const answers = await Promise.all(Array.from({ length: 50 }, ask));
    expect(answers.filter((answer) => "response" in answer && answer.response.result)).toHaveLength(
      3,
    );
    expect(answers[49]).toMatchObject({ response: { error: { message: /too many requests/ } } });
    expect(shop.calls).toHaveLength(3);
    // Whoever makes the object anew for each request has the same bound.
    expect(await openApp().answer(callOf("refresh"))).toMatchObject(refused(-32000));
    const other = openApp({ conversation: "chat-2" });
    expect(await other.answer(callOf("refresh"))).toHaveProperty("response.result");
    atMs = 60_001;
    expect(await ask()).toHaveProperty("response.result");
  });

  it.each([
    ["of another conversation", { conversation: "chat-2" }],
    ["of another server", { server: "bank", uri: BANK_DESK }],
  ])("cannot have its call approved by the page %s", async (_, other) => {
    const { calls, openApp, shop } = await openShop();
    const { id } = (await calls.answer(callOf("refund"))) as { id: string };
    for (const guess of [id, "made-up", "__proto__"]) {
      const answer = await openApp(other).decide(guess, "approve");
      expect(answer).toMatchObject({ response: { error: { message: /^Nothing waits/ } } });
    }
    expect(shop.calls).toEqual([]);
  });

  it("makes no call that another user approves", async () => {
    const { openApp, shop } = await openShop({ use: [{ name: "users", userOf: String }] });
    const { id } = (await openApp({ context: "ann" }).answer(callOf("refund"))) as { id: string };
    const answer = await openApp({ context: "bob" }).decide(id, "approve");
    expect(answer).toMatchObject(refused(-32000));
    expect(shop.calls).toEqual([]);
  });

  it("makes no call that waits once its frame is gone: nobody approves it", async () => {
    const { calls, shop } = await openShop();
    const frame = new AbortController();
    await calls.answer(callOf("refund"), { signal: frame.signal });
    frame.abort();
    const late = await calls.answer(callOf("refresh"), { signal: frame.signal });
    expect(late).toMatchObject({ response: { error: { data: { code: "aborted" } } } });
    expect(shop.calls).toEqual([]);
  });

  it.each([
    "file:///etc/passwd",
    " FILE:///etc/passwd",
    "fi\nle:///etc/passwd",
    "\u0000file:///etc",
  ])("reads no %s that its server has not linked to", async (uri) => {
    const { calls, shop, bank } = await openShop();
    const answer = await calls.answer(request("resources/read", { uri }));
    expect(answer).toMatchObject(refused(-32000));
    await calls.answer(request("resources/read", { uri: "bank://accounts" }));
    expect(shop.asked).toEqual(["bank://accounts"]); // Its own server is asked, whatever the URI says.
    expect(bank.asked).toEqual([]);
  });

  it("cannot fetch results of the conversation by their addresses", async () => {
    const { host, calls, shop } = await openShop({
      use: [references()],
      tools: {
        long: { answer: () => ({ content: [{ type: "text", text: "x".repeat(90_000) }] }) },
      },
    });
    const hop = await host.call({ tool: "shop.long" }, { conversation: "chat-1" });
    const { kept } = await host.keep(hop, { conversation: "chat-1" });
    expect(kept).toBeDefined();
    let sent: unknown;
    Object.assign(shop.port, {
      call: async ({ arguments: args }: { arguments: unknown }) => {
        sent = args;
        return { content: [] };
      },
    });
    await calls.answer(callOf("refresh", { text: `\${${kept}.text}` }));
    expect(sent).toEqual({ text: `\${${kept}.text}` });
  });

  it("is asked about a target that it took from another tool's result, as a model is", async () => {
    const account = "DE89 3704 0044 0532 0130 00";
    const policy = askUnlessFrom(["user"], { to: { "shop.refresh": ["to"] } });
    const { calls, shop } = await openShop({
      use: [sources(), resources([])],
      authorize: policy,
      tools: { read_mail: { answer: () => ({ content: [{ type: "text", text: account }] }) } },
    });
    await calls.answer(callOf("read_mail"));
    expect(await calls.answer(callOf("refresh", { to: account }))).toHaveProperty("pending");
    expect(shop.calls).toEqual(["read_mail"]);
  });
});
