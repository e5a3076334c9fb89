import { readFileSync } from "node:fs";
import { expect, it, vi } from "vitest";
import type { HostEvent } from "../src/index.ts";
import { aChain, aHost } from "./readme-examples.ts";
import { asking, createTestServer } from "./servers.ts";

const read = (path: string) => readFileSync(new URL(path, import.meta.url), "utf8");
const unindented = (text: string) => text.replaceAll(/^ +/gm, "");

it("has examples that are compiled as they stand", () => {
  const compiled = unindented(read("readme-examples.ts"));
  const blocks = [...read("../README.md").matchAll(/```ts\n(.*?)```/gs)];
  expect(blocks).toHaveLength(2);
  for (const [, code = ""] of blocks) expect(compiled).toContain(unindented(code));
});

it("has examples that run", async () => {
  vi.spyOn(console, "log").mockImplementation(() => {});
  const bank = await createTestServer({
    get_balance: { answer: () => ({ content: [], structuredContent: { balance: 12.5 } }) },
    check_account_issue: { answer: () => asking("open_ticket") },
    open_ticket: {},
  });
  const docs = await createTestServer({ search: {} });
  const audit: HostEvent[] = [];
  const clients = { bank: bank.client, docs: docs.client };
  const { host, output } = await aHost({ ...clients, customerId: "c-1", audit });
  expect(output).toEqual({ status: "valid", value: { balance: 12.5 } });
  expect(bank.seen[0]?._meta).toMatchObject({ "example.org/customer": "c-1" });
  const { chain } = await aChain(host, "acc-1");
  expect(chain.hops.map(({ tool }) => tool)).toEqual(["check_account_issue", "open_ticket"]);
  expect(audit.filter((event) => event.type === "call" && event.stage === "record")).toHaveLength(
    3,
  );
});
