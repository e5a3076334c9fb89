import { expect, test } from "vitest";
import { createHost, type Hop } from "../../src/index.ts";
import { createTestServer } from "../servers.ts";

const answers = {
  first: { answer: () => ({ content: [], _meta: { nextTool: { tool: "second" } } }) },
  second: { answer: () => ({ content: [{ type: "text", text: "done" }] }) },
  broken: { answer: () => ({ content: "no list" }) },
};

test("onHop is told of every answered call of a chain, with its result, in order", async () => {
  const { client } = await createTestServer(answers);
  const told: Hop[] = [];
  const host = await createHost({
    servers: { test: client },
    use: [{ name: "listener", onHop: ({ hop }) => void told.push(hop) }],
  });
  const chain = await host.run({ tool: "first" });
  expect(told).toEqual(chain.hops);
});

test("onHop is not told of a call without a usable result, nor of one that was refused", async () => {
  const { client } = await createTestServer(answers);
  const told: Hop[] = [];
  const host = await createHost({
    servers: { test: client },
    use: [{ name: "listener", onHop: ({ hop }) => void told.push(hop) }],
    authorize: ({ tool }) => (tool.name === "second" ? { deny: "no" } : "allow"),
  });
  await host.run({ tool: "broken" });
  await host.run({ tool: "second" });
  expect(told).toEqual([]);
});

test("an exception in onHop does not undo the call", async () => {
  const { client } = await createTestServer(answers);
  const onHop = () => {
    throw new Error("listener");
  };
  const host = await createHost({ servers: { test: client }, use: [{ name: "listener", onHop }] });
  expect((await host.run({ tool: "first" })).ended).toBe("complete");
});
