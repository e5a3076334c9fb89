import { rules } from "@toolrail/core/rules";
import { describe, expect, it } from "vitest";
import { createSingleStep } from "../../src/guard/index.ts";
import { engineOf } from "../../src/host/host-engine.ts";
import { createHost, type Host, type HostOptions } from "../../src/index.ts";
import { runPipe } from "../../src/pipe/index.ts";
import { asking, createTestServer } from "../servers.ts";

const MODEL = { origin: { by: "model" } } as const;

async function shop(options: Partial<HostOptions>) {
  const { client, calls } = await createTestServer({
    find: { answer: () => asking("pay_refund", {}) },
    look: {},
    pay_refund: {
      definition: {
        annotations: { destructiveHint: true },
        outputSchema: { type: "object" },
      },
      answer: () => ({ content: [], structuredContent: {} }),
    },
  });
  const host: Host = await createHost({ servers: { shop: client }, ...options });
  return { host, calls };
}

describe("requireApproval", () => {
  it("leaves a listed tool to a person if a model or a chain calls it", async () => {
    const { host, calls } = await shop({ requireApproval: ["shop.pay_refund"] });
    expect(engineOf(host).mayAsk()).toBe(true);
    expect(await host.check({ tool: "pay_refund" }, MODEL)).toMatchObject({ type: "ask" });
    const chain = await host.run({ tool: "find" }, MODEL);
    expect(chain.ended).toBe("needs-approval");
    expect(calls).toEqual(["find"]);
    expect(await host.resume(chain, "approve")).toMatchObject({ ended: "complete" });
    expect(calls).toEqual(["find", "pay_refund"]);
  });

  it("lets the application make such a call itself", async () => {
    const { host } = await shop({ requireApproval: ["shop.*"] });
    expect(await host.check({ tool: "pay_refund" })).toMatchObject({ type: "allow" });
  });

  it("does not override what authorize says", async () => {
    const requireApproval = ["shop.pay_refund"];
    const denying = await shop({ requireApproval, authorize: () => ({ deny: "closed" }) });
    const refused = await denying.host.check({ tool: "pay_refund" }, MODEL);
    expect(refused).toMatchObject({ type: "refuse", error: { code: "denied" } });
    const asks = await shop({ requireApproval, authorize: () => "ask" });
    expect(await asks.host.check({ tool: "find" }, MODEL)).toMatchObject({ type: "ask" });
    const silent = await shop({ requireApproval, authorize: (() => undefined) as never });
    const unsaid = await silent.host.check({ tool: "pay_refund" }, MODEL);
    expect(unsaid).toMatchObject({ type: "refuse", error: { code: "denied" } });
  });

  it("refuses the host if it names a tool that does not exist", async () => {
    const opened = shop({ requireApproval: ["shop.refund"] });
    await expect(opened).rejects.toThrow('`requireApproval` names "shop.refund"');
  });
});

describe("a tool marked destructive", () => {
  const spec = { steps: [{ id: "s", tool: "shop.pay_refund" }] };
  const use = [
    rules([{ after: "shop.look", next: { tool: "shop.pay_refund", arguments: { n: 1 } } }]),
  ];
  type Use = (host: Host) => Promise<{ ended?: string; paused?: unknown; verdict?: string }>;
  const ways: [string, Use][] = [
    ["a model", (host) => host.run({ tool: "pay_refund" }, MODEL)],
    ["a `nextTool`, in a chain of the application too", (host) => host.run({ tool: "find" })],
    ["a rule", (host) => host.run({ tool: "look" })],
    ["a step of a pipe", (host) => runPipe(host, { spec, pauses: true })],
    [
      "a step of a pipe that a model wrote",
      (host) => runPipe(host, { spec, author: "model", pauses: true }),
    ],
    [
      "a guarded query",
      (host) =>
        createSingleStep(host, { allow: ["shop.*"] })
          .startQuery()
          .call({ tool: "pay_refund" }),
    ],
  ];

  it.each(ways)(
    "waits for a person if %s asks for it, and nobody has said otherwise",
    async (_, call) => {
      for (const options of [{}, { authorize: [] }, { requireApproval: [] }]) {
        const { host, calls } = await shop({ use, ...options });
        const { ended, paused, verdict } = await call(host);
        expect(ended ?? verdict ?? paused).toSatisfy(
          (end) => end === "needs-approval" || end === "ask" || typeof end === "object",
        );
        expect(calls).not.toContain("pay_refund");
      }
    },
  );

  it("is made once it is approved, and the person is told why they are asked", async () => {
    const { host, calls } = await shop({});
    const chain = await host.run({ tool: "find" }, MODEL);
    expect(chain.pending?.reason).toBe("its server says that it may delete or overwrite something");
    expect(await host.resume(chain, "approve")).toMatchObject({ ended: "complete" });
    expect(calls).toEqual(["find", "pay_refund"]);
  });

  it("is called without asking by the application itself", async () => {
    const { host, calls } = await shop({});
    await host.call({ tool: "pay_refund" });
    expect(calls).toEqual(["pay_refund"]);
  });

  it.each<[string, Partial<HostOptions>]>([
    ["`authorize` allows it", { authorize: () => "allow" }],
    ["`requireApproval` names others", { requireApproval: ["shop.find"] }],
  ])("is called without asking if %s", async (_, options) => {
    const { host, calls } = await shop(options);
    expect(await host.run({ tool: "pay_refund" }, MODEL)).toMatchObject({ ended: "complete" });
    expect(calls).toEqual(["pay_refund"]);
  });
});
