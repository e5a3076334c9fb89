import { request } from "node:http";
import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type BankProcess, connectBank, startBank } from "../src/bank-process.ts";

let bank: BankProcess;
beforeAll(async () => {
  bank = await startBank();
});
afterAll(() => bank.close());

async function call(client: Client, params: { name: string; arguments: Record<string, unknown> }) {
  return (await client.callTool(params)) as CallToolResult;
}

test("Parallel confirmations from several sessions move the money once.", async () => {
  const clients = await Promise.all([connectBank(bank.url), connectBank(bank.url)]);
  const [first] = clients;
  const prepared = await call(first, {
    name: "prepare_money_transfer",
    arguments: { fromAccountId: "acc_savings_001", toAccountId: "acc_current_001", amount: 50.25 },
  });
  const transferId = prepared.structuredContent?.transferId;
  const confirm = {
    name: "confirm_or_cancel_transfer",
    arguments: { transferId, decision: "confirm" },
  };
  const settled = await Promise.all(clients.map((client) => call(client, confirm)));
  const statuses = settled.map(({ structuredContent }) => structuredContent?.status);
  expect(statuses.toSorted()).toEqual(["already_confirmed", "confirmed"]);
  const balance = { name: "get_account_balance", arguments: { accountId: "acc_savings_001" } };
  const { structuredContent } = await call(first, balance);
  expect(structuredContent?.balanceCents).toBe(1_280_050 - 5_025);
});

test.each([
  ["to a foreign host", "/mcp", { host: "evil.example" }, 403],
  ["from a foreign page", "/mcp", { origin: "https://evil.example" }, 403],
  ["of an unknown session", "/mcp", { "mcp-session-id": "nobody" }, 404],
  ["to another path", "/other", {}, 404],
  ["without an initialization", "/mcp", {}, 400],
])("A request %s is refused.", async (_title, path, headers, status) => {
  const accept = "application/json, text/event-stream";
  const options = {
    method: "POST",
    headers: { accept, "content-type": "application/json", ...headers },
  };
  const answered = await new Promise((resolve, reject) => {
    request(new URL(path, bank.url), options, ({ statusCode }) => resolve(statusCode))
      .once("error", reject)
      .end("{}");
  });
  expect(answered).toBe(status);
});
