import { expect, it, vi } from "vitest";
import { createHost, type HostEvent } from "../src/index.ts";
import { askingPort } from "./call/asking-port.ts";
import {
  aChain,
  aGuard,
  aHost,
  aLongResult,
  anInputRequest,
  aPipeThatWaits,
  aTracedHost,
} from "./readme-examples.ts";
import { asking, createTestServer } from "./servers.ts";

it("The examples of a host and a chain run.", async () => {
  vi.spyOn(console, "log").mockImplementation(() => {});
  const bank = await createTestServer({
    get_balance: { answer: () => ({ content: [], structuredContent: { balance: 12.5 } }) },
    check_account_issue: { answer: () => asking("open_ticket") },
    open_ticket: {},
  });
  const docs = await createTestServer({ search: {} });
  const audit: HostEvent[] = [];
  const clients = { connectBank: async () => bank.client, docs: docs.client };
  const { host, output } = await aHost({ ...clients, customerId: "c-1", audit });
  expect(output).toEqual({ status: "valid", value: { balance: 12.5 } });
  expect(bank.seen[0]?._meta).toMatchObject({ "example.org/customer": "c-1" });
  const { chain } = await aChain(host, "acc-1");
  expect(chain.hops.map(({ tool }) => tool)).toEqual(["check_account_issue", "open_ticket"]);
  expect(audit.filter((event) => event.type === "call" && event.stage === "record")).toHaveLength(
    3,
  );
});

it("The example of an input request runs.", async () => {
  const asked = vi.fn(async () => "1234");
  const chain = await anInputRequest(askingPort().port, asked);
  expect(asked).toHaveBeenCalledWith("bank asks: Your PIN?", undefined);
  expect(chain.ended).toBe("complete");
});

it("The example of a pipe that waits continues.", async () => {
  vi.spyOn(console, "log").mockImplementation(() => {});
  const shop = await createTestServer({ pay: {} });
  const host = await createHost({ servers: { shop: shop.client }, requireApproval: ["shop.pay"] });
  const spec = { steps: [{ id: "p", tool: "pay" }] };
  const { waiting, result } = await aPipeThatWaits(host, { spec, conversation: "chat-1" });
  expect([waiting.ok, result.ok]).toEqual([false, true]);
  expect(shop.calls).toEqual(["pay"]);
});

it("The example of a long result shows its beginning.", async () => {
  const text = "A line of a page.\n".repeat(5_000);
  const docs = await createTestServer({
    fetch: { answer: () => ({ content: [{ type: "text", text }] }) },
  });
  const mail = await createTestServer({ send: {} });
  const [block] = await aLongResult({ docs: docs.client, mail: mail.client, url: "a:b" });
  expect(block?.text).toMatch(/^\[90,000 characters of text, kept as k/);
});

it("The example of tracing makes its calls if nothing is registered, too.", async () => {
  const bank = await createTestServer({ search: {} });
  const host = await aTracedHost(bank.client);
  expect((await host.run({ tool: "search" })).ended).toBe("complete");
});

it("The example of the guard makes one call and grounds its summary.", async () => {
  const outputSchema = { type: "object", properties: { text: { type: "string" } } };
  const text = "The desk opens at 9:30 on 2026-03-01.";
  const docs = await createTestServer({
    search: {
      definition: { outputSchema },
      answer: () => ({ content: [], structuredContent: { text } }),
    },
  });
  const bank = await createTestServer({ transfer: { definition: { outputSchema } } });
  const host = await createHost({ servers: { docs: docs.client, bank: bank.client } });
  const claims = [
    { claim: "It opens at 9:30 am.", evidence: "The desk opens at 9:30" },
    { claim: "It opens on 2 March 2026.", evidence: "opens at 9:30 on 2026-03-01" },
  ];
  const answers = (tool: string) => async (prompt: string) =>
    JSON.stringify(
      prompt.startsWith("Summarise")
        ? { type: "summary", bullets: claims }
        : { type: "call_tool", tool },
    );
  const found = await aGuard(host, "When?", answers("docs.search"));
  expect(found.outcome.code).toBe("complete");
  expect(found.summary).toMatchObject({
    summary: { bullets: [claims[0]] },
    rejected: [{ index: 1 }],
  });
  const moved = await aGuard(host, "Move it.", answers("bank.transfer"));
  expect(moved.query.phase.type).toBe("spent");
  const refused = await aGuard(host, "My password?", answers("docs.search"));
  expect(refused.outcome.code).toBe("denied");
  expect([docs.calls, bank.calls]).toEqual([["search"], ["transfer"]]);
});
