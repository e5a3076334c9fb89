import { mkdtemp } from "node:fs/promises";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { describe, expect, onTestFinished, test } from "vitest";
import { call, connectHttp, connectStdio, startHttpProcess } from "./bank-process.ts";

const SAVINGS = "acc_savings_001";
const CURRENT = "acc_current_001";

async function startProcess(args: readonly string[] = []) {
  const running = await startHttpProcess(args);
  onTestFinished(async () => void (await running.stop()));
  return running;
}

async function balance(client: Client, accountId: string) {
  const result = await call(client, "get_account_balance", { accountId });
  return result.structuredContent?.balanceCents;
}

async function prepare(client: Client): Promise<unknown> {
  const args = { fromAccountId: SAVINGS, toAccountId: CURRENT, amount: 50.25 };
  const result = await call(client, "prepare_money_transfer", args);
  return result.structuredContent?.transferId;
}

async function settle(client: Client, transferId: unknown, decision = "confirm") {
  const result = await call(client, "confirm_or_cancel_transfer", { transferId, decision });
  return result.structuredContent?.status;
}

describe("a server process over HTTP", () => {
  test("parallel confirmations from several sessions move the money once", async () => {
    const { url, stop } = await startProcess();
    const clients = await Promise.all(Array.from({ length: 4 }, () => connectHttp(url)));
    const [first] = clients as [Client, ...Client[]];
    const transferId = await prepare(first);
    const statuses = await Promise.all(
      clients.flatMap((client) => [settle(client, transferId), settle(client, transferId)]),
    );
    expect(statuses.toSorted()).toEqual([...Array(7).fill("already_confirmed"), "confirmed"]);
    expect(await balance(first, SAVINGS)).toBe(1_280_050 - 5_025);
    expect(await balance(first, CURRENT)).toBe(64_025 + 5_025);
    expect(await stop()).toBe(0);
  });

  test("a cancelled transfer cannot be confirmed, and no money moves", async () => {
    const { url, stop } = await startProcess();
    const client = await connectHttp(url);
    const transferId = await prepare(client);
    expect(await settle(client, transferId, "cancel")).toBe("cancelled");
    expect(await settle(client, transferId)).toBe("already_cancelled");
    expect(await balance(client, SAVINGS)).toBe(1_280_050);
    expect(await stop("SIGINT")).toBe(0);
  });

  test("a request for a foreign host or from a foreign page is refused", async () => {
    const { url } = await startProcess();
    expect(await statusOf(url, { host: "evil.example" })).toBe(403);
    expect(await statusOf(url, { origin: "https://evil.example" })).toBe(403);
    expect(await statusOf(url, { "mcp-session-id": "nobody" })).toBe(404);
    expect(await statusOf(url.replace("/mcp", "/other"), {})).toBe(404);
    expect(await statusOf(url, {})).toBe(400);
  });
});

describe("a server process with a store file", () => {
  test("money moved in one process is moved in the next, once, over stdio and HTTP", async () => {
    const file = join(await mkdtemp(join(tmpdir(), "bank-")), "bank.sqlite");
    const { url, stop } = await startProcess(["--store", file]);
    const [http, stdio] = [await connectHttp(url), await connectStdio(["--store", file])];
    const transferId = await prepare(http);
    const statuses = await Promise.all([settle(http, transferId), settle(stdio, transferId)]);
    expect(statuses.toSorted()).toEqual(["already_confirmed", "confirmed"]);
    await stdio.close();
    await stop();
    const later = await connectStdio(["--store", file]);
    expect(await balance(later, CURRENT)).toBe(64_025 + 5_025);
    expect(await settle(later, transferId)).toBe("already_confirmed");
    await later.close();
  });
});

function statusOf(url: string, headers: Record<string, string>): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const accept = "application/json, text/event-stream";
    const all = { accept, "content-type": "application/json", ...headers };
    const outgoing = request(url, { method: "POST", headers: all }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    outgoing.once("error", reject).end("{}");
  });
}
