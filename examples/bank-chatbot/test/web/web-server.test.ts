import { randomUUID } from "node:crypto";
import { request } from "node:http";
import { afterEach, beforeEach, expect, test } from "vitest";
import { DEMO_CUSTOMER_ID } from "../../src/store/bank-database.ts";
import { DEMO_PIN } from "../../src/store/sign-ins.ts";
import { CUSTOMER_META_KEY } from "../../src/tools/customer.ts";
import { THREAD_META_KEY } from "../../src/tools/thread.ts";
import { startConversation } from "./conversation.ts";
import { type MortalBank, startMortalBank } from "./mortal-bank.ts";
import { startWeb } from "./start-web.ts";

let bank: MortalBank;
beforeEach(async () => {
  bank = await startMortalBank();
});
afterEach(() => bank.close());

async function enterSignedIn() {
  const { url, modelCalls } = await startWeb({ bank: bank.url });
  const conversation = await startConversation(url);
  await conversation.answer(DEMO_PIN);
  return { url, modelCalls, conversation };
}

const statuses = () => bank.store.listTransfers(DEMO_CUSTOMER_ID).map(({ status }) => status);
const balance = (id: string) => bank.store.findAccount(DEMO_CUSTOMER_ID, id)?.balanceCents;

test("before the sign-in a conversation has no account tools, and another stays without them", async () => {
  const { url, conversation } = await enterSignedIn();
  const other = await startConversation(url);
  await expect
    .poll(async () => (await conversation.view()).status.tools)
    .toContain("list_accounts");
  expect((await other.view()).status.tools).toEqual(["request_agent_handoff"]);
});

test("three wrong PINs lead to a person without a model, and block the right one", async () => {
  const { url, modelCalls } = await startWeb({ bank: bank.url });
  const conversation = await startConversation(url);
  for (const pin of ["1111", "2222", "3333"]) await conversation.answer(pin);
  expect((await conversation.parts("hop")).at(-1)?.data).toMatchObject({
    tool: "bank.request_agent_handoff",
    by: "chain",
  });
  const pins = (await conversation.parts("control")).filter(({ data }) => data.secret);
  await conversation.take({ type: "control", id: pins.at(-1)?.id ?? "", value: DEMO_PIN });
  expect((await conversation.view()).status.tools).toEqual(["request_agent_handoff"]);
  expect(modelCalls).toHaveLength(0);
});

test("a PIN of the wrong form is not sent, and the field stays open", async () => {
  const { url } = await startWeb({ bank: bank.url });
  const conversation = await startConversation(url);
  await conversation.answer("12");
  const [control] = await conversation.parts("control");
  expect(control?.data.state).toBe("open");
  const [notice] = await conversation.parts("notice");
  expect(notice?.data.text).toContain("cannot accept this value");
});

test("the customer and the thread come from the application with every request", async () => {
  const { conversation } = await enterSignedIn();
  await conversation.say("What is the balance of my savings?");
  expect(bank.metas.length).toBeGreaterThan(3);
  for (const meta of bank.metas) {
    expect(meta).toMatchObject({
      [CUSTOMER_META_KEY]: { customerId: DEMO_CUSTOMER_ID },
      [THREAD_META_KEY]: { threadId: conversation.id, signIn: true },
    });
  }
});

test("content for the user is sent to the page word for word, and no metadata is", async () => {
  const { conversation } = await enterSignedIn();
  const stream = await conversation.say("Transfer 50 from savings to everyday current.");
  expect(stream).toContain("Transfer $50.00 from High Yield Savings to Everyday Current.");
  const sent = stream + JSON.stringify(await conversation.view());
  for (const secret of ["_meta", "on_confirm", "transferId", "transfer_"]) {
    expect(sent).not.toContain(secret);
  }
});

test("the same confirmation sent many times at once moves the money once", async () => {
  const { conversation } = await enterSignedIn();
  await conversation.say("Transfer 50 from savings to everyday current.");
  const id = (await conversation.parts("control")).at(-1)?.id ?? "";
  const confirm = () => conversation.take({ type: "control", id, value: "confirm" });
  await Promise.all(Array.from({ length: 5 }, confirm));
  expect(statuses()).toEqual(["confirmed"]);
  expect(balance("acc_savings_001")).toBe(1_280_050 - 5_000);
});

test("a message that is sent twice is carried out once", async () => {
  const { conversation, modelCalls } = await enterSignedIn();
  const messageId = randomUUID();
  const input = { type: "text", text: "Transfer 50 from savings to everyday current." } as const;
  await Promise.all([conversation.take(input, messageId), conversation.take(input, messageId)]);
  expect(statuses()).toEqual(["pending"]);
  expect(modelCalls).toHaveLength(1);
});

test("a value that a control does not offer calls nothing", async () => {
  const { conversation } = await enterSignedIn();
  await conversation.say("Transfer 50 from savings to everyday current.");
  const before = [...bank.calls];
  await conversation.answer("maybe");
  await conversation.take({ type: "control", id: randomUUID(), value: "confirm" });
  expect(bank.calls).toEqual(before);
  expect(statuses()).toEqual(["pending"]);
});

test("a hop that needs approval waits for it, and is made once when it is given", async () => {
  const { url } = await startWeb({
    bank: bank.url,
    authorize: ({ tool }) => (tool.name === "initiate_human_handoff" ? "ask" : "allow"),
  });
  const conversation = await startConversation(url);
  await conversation.answer(DEMO_PIN);
  await conversation.say("My primary checking does not work.");
  const tickets = () => bank.store.listTickets(DEMO_CUSTOMER_ID);
  expect(tickets()).toHaveLength(0);
  const [approval] = await conversation.parts("approval");
  expect(approval?.data).toMatchObject({ title: "Initiate human handoff", state: "open" });
  const approve = { type: "approval", id: approval?.id ?? "", approved: true } as const;
  await Promise.all([conversation.take(approve), conversation.take(approve)]);
  expect(tickets()).toHaveLength(1);
  expect((await conversation.parts("hop")).map(({ data }) => data.tool)).toContain(
    "bank.initiate_human_handoff",
  );
});

test("a bank that is away at the start is explained, and works when it is back", async () => {
  bank.dieAt("welcome_customer", "before");
  const { url } = await startWeb({ bank: bank.url });
  const conversation = await startConversation(url);
  const [notice] = await conversation.parts("notice");
  expect(notice?.data.text).toContain("lost the connection to the bank");
  await bank.revive();
  await conversation.say("Hello");
  expect(await conversation.shown()).toEqual([expect.stringContaining("Welcome")]);
});

test.each([
  ["a foreign host", { host: "evil.example" }, 403],
  ["a foreign page", { origin: "https://evil.example" }, 403],
  ["a form", { "content-type": "text/plain" }, 415],
  ["a body without end", { "x-size": "100000" }, 413],
  ["a body of the wrong form", {}, 400],
])("a request from or with %s is refused", async (_what, headers, status) => {
  const { url } = await startWeb({ bank: bank.url });
  const size = Number((headers as Record<string, string>)["x-size"] ?? 1);
  const body = JSON.stringify({ mode: "x".repeat(size) });
  const sent = { "content-type": "application/json", ...headers };
  const answered = await new Promise<number | undefined>((resolve, reject) => {
    const options = { method: "POST", headers: sent };
    request(new URL("/api/threads", url), options, ({ statusCode }) => resolve(statusCode))
      .once("error", reject)
      .end(body);
  });
  expect(answered).toBe(status);
});

test("a conversation that nobody knows is not found", async () => {
  const { url } = await startWeb({ bank: bank.url });
  expect((await fetch(new URL(`/api/threads/${randomUUID()}`, url))).status).toBe(404);
});
