import { expect, it } from "vitest";
import { offeredTools } from "../../src/adapter.ts";
import { createHost } from "../../src/index.ts";
import { createTestServer } from "../servers.ts";

const appOnly = { definition: { _meta: { ui: { visibility: ["app"] } } } };

async function setUp() {
  const bank = await createTestServer({ a: {}, b: {}, hidden: appOnly });
  return createHost({ servers: { bank: bank.client } });
}

it("offers all tools but app-only ones", async () => {
  const host = await setUp();
  expect(offeredTools(host).map(({ name }) => name)).toEqual(["a", "b"]);
});

it("offers what the filter lets through, but never app-only tools", async () => {
  const host = await setUp();
  expect(offeredTools(host, ["bank.b", "bank.hidden"]).map(({ name }) => name)).toEqual(["b"]);
  expect(offeredTools(host, () => false)).toEqual([]);
});

it("refuses an invalid filter", async () => {
  const host = await setUp();
  expect(() => offeredTools(host, "bank.*" as never)).toThrow(/tools must be a list of patterns/);
});

it("refuses the promise of a host, such as when `await` was forgotten", async () => {
  const promise = setUp();
  expect(() => offeredTools(promise as never)).toThrow(/pass what `await createHost/);
  await promise;
});
