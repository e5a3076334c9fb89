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

it("refuses a name that matches no tool once all servers have answered, and a later one becomes a problem", async () => {
  const host = await setUp();
  const offering = (name: string) => () => offeredTools(host, ["a", name]);
  for (const name of ["bank.bb", "hiden"]) {
    expect(offering(name)).toThrow(/Did you mean "bank\.(b|hidden)"/);
    expect(offering(name)).toThrow(expect.objectContaining({ code: "invalid-options" }));
  }
  expect(host.problems).toEqual([]);
  expect(offeredTools(host, ["bank.*", "*"]).map(({ name }) => name)).toEqual(["a", "b"]);
});

it("makes a problem of a name that matches no tool while its server has not answered, or no longer lists it", async () => {
  const { client } = await createTestServer({ a: {}, b: {} });
  const shop = () => Promise.reject(new Error("down"));
  const host = await createHost({ servers: { bank: client, shop } });
  expect(offeredTools(host, ["a", "shop.pay", "pay"]).map(({ name }) => name)).toEqual(["a"]);
  expect(host.problems).toMatchObject([
    { code: "list-failed" },
    { code: "unmatched-name", message: expect.stringContaining("shop.pay") },
    { code: "unmatched-name", message: expect.stringContaining('"pay"') },
  ]);
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
