import { describe, expect, it } from "vitest";
import { engineOf } from "../../src/adapter.ts";
import { createHost, type HostEvent, type HostOptions } from "../../src/index.ts";
import { asking, createTestServer } from "../servers.ts";

const MODEL = { origin: { by: "model" } } as const;

async function shop(options: Partial<HostOptions>) {
  const { client, calls } = await createTestServer({
    find: { answer: () => asking("pay_refund", {}) },
    pay_refund: { definition: { annotations: { destructiveHint: true } } },
  });
  const events: HostEvent[] = [];
  const onEvent = (event: HostEvent) => events.push(event);
  const host = await createHost({ servers: { shop: client }, onEvent, ...options });
  const codes = () => events.flatMap((event) => (event.type === "warning" ? event.code : []));
  return { host, calls, codes };
}

describe("ask", () => {
  it("leaves a listed tool to a person if a model or a chain calls it", async () => {
    const { host, calls } = await shop({ ask: ["shop.pay_refund"] });
    expect(engineOf(host)).toMatchObject({ mayAsk: true, mayWait: true });
    expect(await host.check({ tool: "pay_refund" }, MODEL)).toMatchObject({ type: "ask" });
    const chain = await host.run({ tool: "find" }, MODEL);
    expect(chain.ended).toBe("needs-approval");
    expect(calls).toEqual(["find"]);
    expect(await host.resume(chain, "approve")).toMatchObject({ ended: "complete" });
    expect(calls).toEqual(["find", "pay_refund"]);
  });

  it("lets the application make such a call itself", async () => {
    const { host } = await shop({ ask: ["shop.*"] });
    expect(await host.check({ tool: "pay_refund" })).toMatchObject({ type: "allow" });
  });

  it("does not override what authorize says", async () => {
    const ask = ["shop.pay_refund"];
    const denying = await shop({ ask, authorize: () => ({ deny: "closed" }) });
    const refused = await denying.host.check({ tool: "pay_refund" }, MODEL);
    expect(refused).toMatchObject({ type: "refuse", error: { code: "denied" } });
    const asks = await shop({ ask, authorize: () => "ask" });
    expect(await asks.host.check({ tool: "find" }, MODEL)).toMatchObject({ type: "ask" });
    const silent = await shop({ ask, authorize: (() => undefined) as never });
    const unsaid = await silent.host.check({ tool: "pay_refund" }, MODEL);
    expect(unsaid).toMatchObject({ type: "refuse", error: { code: "denied" } });
  });

  it("is reported if it names a tool that does not exist", async () => {
    const { host } = await shop({ ask: ["shop.refund"] });
    expect(host.problems).toMatchObject([{ code: "unmatched-name" }]);
    expect(host.problems[0]?.message).toContain("`ask`");
  });
});

describe("a tool marked destructive", () => {
  it("causes one warning if nobody is asked", async () => {
    const { host, codes } = await shop({});
    await host.refresh();
    expect(codes()).toEqual(["nobody-is-asked"]);
  });

  it.each<[string, Partial<HostOptions>]>([
    ["authorize", { authorize: () => "allow" }],
    ["ask", { ask: ["shop.pay_refund"] }],
    ["allow", { allow: ["shop.find"] }],
  ])("is not warned of where there is a rule: %s", async (_, options) => {
    expect((await shop(options)).codes()).toEqual([]);
  });
});
