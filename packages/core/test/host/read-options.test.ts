import { rules } from "@toolrail/core/rules";
import { describe, expect, it } from "vitest";
import { createSingleStep } from "../../src/guard/index.ts";
import { engineOf } from "../../src/host/engine.ts";
import { createHost, type Host, type HostOptions } from "../../src/index.ts";
import { runPipe } from "../../src/pipe/index.ts";
import { asking, createTestServer } from "../servers.ts";

const MODEL = { origin: { by: "model" } } as const;

async function shop(options: Partial<HostOptions>) {
  const { client, calls } = await createTestServer({
    find: { answer: () => asking("pay_refund", {}) },
    look: {},
    drop: {
      definition: { outputSchema: { type: "object" } },
      answer: () => ({ content: [], structuredContent: {} }),
    },
    seek: { answer: () => asking("drop", {}) },
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

  const spec = { steps: [{ id: "s", tool: "shop.drop" }] };
  const ways: [string, Use][] = [
    ["a model", (host) => host.run({ tool: "drop" }, MODEL)],
    ["a hop", (host) => host.run({ tool: "seek" })],
    ["a step of a pipe", (host) => runPipe(host, { spec, pauses: true })],
    [
      "a guarded query",
      (host) =>
        createSingleStep(host, { allow: ["shop.*"] })
          .startQuery()
          .call({ tool: "drop" }),
    ],
  ];
  const forms: [string, HostOptions["requireApproval"], boolean][] = [
    ["nothing, since the tool has no annotations", undefined, false],
    ["its name", ["drop"], true],
    ["a pattern", ["shop.dr*"], true],
    ["its server", ["shop.*"], true],
    ["another tool", ["shop.find"], false],
    ["a function of the tool", ({ id }) => id === "shop.drop", true],
    ["a function of the origin", (_, { by }) => by !== "application", true],
    ["a function that answers false", () => false, false],
    ["a function that answers nothing", (() => {}) as never, true],
  ];
  const cases = forms.flatMap(([form, requireApproval, asks]) =>
    ways.map(([way, call]) => ({ form, requireApproval, asks, way, call })),
  );

  it.each(cases)("asks before a call of $way, given as $form: $asks", async (one) => {
    const { requireApproval } = one;
    const { host, calls } = await shop(requireApproval ? { requireApproval } : {});
    expect(isAsked(await one.call(host))).toBe(one.asks);
    expect(calls.includes("drop")).toBe(!one.asks);
  });

  it("makes no call if its function throws", async () => {
    const requireApproval = () => {
      throw new Error("no table");
    };
    const { host, calls } = await shop({ requireApproval });
    const chain = await host.run({ tool: "find" }, MODEL);
    expect(chain).toMatchObject({ ended: "denied", error: { code: "denied" } });
    expect(calls).toEqual([]);
  });

  it("refuses the host if it names a tool that does not exist", async () => {
    const opened = shop({ requireApproval: ["shop.refund"] });
    await expect(opened).rejects.toThrow('`requireApproval` names "shop.refund"');
  });
});

/** True if a chain, a pipe or a guarded query waits for a person. */
const isAsked = ({ ended, paused, verdict }: Awaited<ReturnType<Use>>) =>
  ended === "needs-approval" || verdict === "ask" || paused !== undefined;

type Use = (host: Host) => Promise<{ ended?: string; paused?: unknown; verdict?: string }>;

describe("a tool marked destructive", () => {
  const spec = { steps: [{ id: "s", tool: "shop.pay_refund" }] };
  const use = [
    rules([{ after: "shop.look", next: { tool: "shop.pay_refund", arguments: { n: 1 } } }]),
  ];
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

  const settings: [string, Partial<HostOptions>][] = [
    ["nothing", {}],
    ["an empty `authorize`", { authorize: [] }],
    ["an empty `requireApproval`", { requireApproval: [] }],
    ["a `requireApproval` that names others", { requireApproval: ["shop.drop"] }],
    ["one that excludes it", { requireApproval: (tool) => tool.name === "drop" }],
  ];
  const cases = settings.flatMap(([title, options]) =>
    ways.map(([way, call]) => ({ title, options, way, call })),
  );

  it.each(cases)("waits for a person if $way asks for it, with $title", async (one) => {
    const { host, calls } = await shop({ use, ...one.options });
    expect(isAsked(await one.call(host))).toBe(true);
    expect(calls).not.toContain("pay_refund");
  });

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

  it.each(ways)("is called without asking if `authorize` allows it to %s", async (_, call) => {
    for (const more of [{}, { requireApproval: ["shop.drop"] }]) {
      const { host, calls } = await shop({ use, authorize: () => "allow", ...more });
      expect(isAsked(await call(host))).toBe(false);
      expect(calls).toContain("pay_refund");
    }
  });
});
