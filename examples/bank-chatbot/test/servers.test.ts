import { request } from "node:http";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { type BankProcess, connectBank, startBank } from "../src/bank-process.ts";
import type { ConversationView } from "../src/conversation/conversation-view.ts";
import { startWebServer } from "../src/web-server/web-server.ts";
import { startParts } from "./start-conversation.ts";

let bank: BankProcess;
beforeAll(async () => {
  bank = await startBank();
});
afterAll(() => bank.close());

/** Starts the server of the page, until the test has ended. */
async function startPage(): Promise<URL> {
  const { options } = await startParts();
  const { url, close } = await startWebServer({
    ...{ page: new Map(), conversation: options },
    measureRelay: async (said) => ({ modelCalls: said.length, tokens: 0, ms: 0 }),
  });
  onTestFinished(close);
  return new URL(url);
}

const start = { bank: async () => bank.url, page: startPage };
const foreign = { host: { host: "evil.example" }, page: { origin: "https://evil.example" } };

test.each([
  ["bank", "to a foreign host", "/mcp", foreign.host, 403],
  ["bank", "from a foreign page", "/mcp", foreign.page, 403],
  ["bank", "to another path", "/other", {}, 404],
  ["bank", "that is no message of MCP", "/mcp", {}, 400],
  ["page", "to a foreign host", "/api", foreign.host, 403],
  ["page", "from a foreign page", "/api", foreign.page, 403],
  ["page", "of a form", "/api", { "content-type": "text/plain" }, 415],
  ["page", "with a large body", "/api", { "content-length": "100000" }, 413],
  ["page", "with a body of the wrong form", "/api", {}, 400],
] as const)("The server of the %s refuses a request %s.", async (of, _what, path, more, status) => {
  const accept = "application/json, text/event-stream";
  const json = { "content-type": "application/json", "content-length": "2" };
  const url = new URL(path, await start[of]());
  const answered = await new Promise((resolve) => {
    const headers = { accept, ...json, ...more };
    request(url, { method: "POST", headers }, ({ statusCode }) => resolve(statusCode))
      .on("error", () => {})
      .end("{}");
  });
  expect(answered).toBe(status);
});

test("Parallel confirmations from several clients of the bank move the money once.", async () => {
  const clients = await Promise.all([connectBank(bank.url), connectBank(bank.url)]);
  const call = async (at: number, name: string, args: Record<string, unknown>) => {
    const result = await clients[at]?.callTool({ name, arguments: args });
    return result?.structuredContent as Record<string, unknown>;
  };
  const fromAccountId = "acc_savings_001";
  const transfer = { fromAccountId, toAccountId: "acc_current_001", amount: 50.25 };
  const { transferId } = await call(0, "prepare_money_transfer", transfer);
  const confirm = { transferId, decision: "confirm" };
  const settled = await Promise.all(
    [0, 1].map((at) => call(at, "confirm_or_cancel_transfer", confirm)),
  );
  const statuses = settled.map(({ status }) => status);
  expect(statuses.toSorted()).toEqual(["already_confirmed", "confirmed"]);
  const balance = await call(0, "get_account_balance", { accountId: fromAccountId });
  expect(balance.balanceCents).toBe(1_280_050 - 5_025);
});

test("A conversation is streamed to every page that watches it.", async () => {
  const { href: url } = await startPage();
  const post = (path: string, body: object) => {
    const headers = { "content-type": "application/json" };
    return fetch(`${url}api${path}`, { method: "POST", headers, body: JSON.stringify(body) });
  };
  const { id } = (await (await post("", { mode: "guard" })).json()) as { id: string };
  const pages = [0, 1].map(async () => {
    const { body } = await fetch(`${url}api/${id}/events`);
    let text = "";
    for await (const chunk of body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += chunk;
      const view = text.split("\n\n").at(-2)?.slice("data: ".length) ?? "{}";
      const { entries = [], isBusy } = JSON.parse(view) as Partial<ConversationView>;
      if (!isBusy && entries.some(({ type }) => type === "words")) return entries;
    }
    return [];
  });
  const question = { type: "text", text: "What is the balance of my savings?" };
  expect((await post(`/${id}/turns`, question)).status).toBe(200);
  const [first = [], second = []] = await Promise.all(pages);
  const types = ["user", "model", "hop", "shown", "guard", "model", "words"];
  expect(first.map(({ type }) => type)).toEqual(types);
  expect(second).toEqual(first);
  expect(await (await post(`/${id}/relay`, {})).json()).toMatchObject({ modelCalls: 1 });
});

test.each(["api/unknown/events", "api/unknown", "other.html"])("%s is not found.", async (path) => {
  expect((await fetch(new URL(path, await startPage()))).status).toBe(404);
});
