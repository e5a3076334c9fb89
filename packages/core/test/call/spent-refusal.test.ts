import { expect, it } from "vitest";
import { createHost, type HostEvent } from "../../src/index.ts";

it("A refusal that is spent asks nobody again, sends nothing and reports the stage that refused.", async () => {
  const sent: string[] = [];
  const port = {
    list: async () => ({ tools: [{ name: "a", inputSchema: { type: "object" } }] }),
    call: async ({ name }: { name: string }) => {
      sent.push(name);
      return { content: [] };
    },
  };
  const asked: string[] = [];
  const events: HostEvent[] = [];
  const authorize = ({ tool }: { tool: { id: string } }) => {
    asked.push(tool.id);
    return { deny: "no" };
  };
  const onEvent = (event: HostEvent) => events.push(event);
  const host = await createHost({ servers: { bank: port }, authorize, onEvent });
  const checked = await host.check({ tool: "bank.a" });
  expect(checked).toMatchObject({ type: "refuse" });
  await expect(host.call(checked)).rejects.toMatchObject({
    code: "denied",
  });
  expect([asked, sent]).toEqual([["bank.a"], []]);
  const calls = events.filter((event) => event.type === "call");
  expect(calls.at(-1)).toMatchObject({ stage: "authorize", outcome: "refused", code: "denied" });
});

it("A refusal of a tool that nobody lists is spent at the stage that finds tools.", async () => {
  const port = { list: async () => ({ tools: [] }), call: async () => ({ content: [] }) };
  const host = await createHost({ servers: { bank: port } });
  const checked = await host.check({ tool: "bank.gone" });
  expect(checked).toMatchObject({ type: "refuse" });
  await expect(host.call(checked)).rejects.toMatchObject({
    code: "unknown-tool",
  });
});
