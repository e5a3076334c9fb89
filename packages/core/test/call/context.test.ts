import { rules } from "@toolrail/plugins/rules";
import { describe, expect, it, onTestFinished } from "vitest";
import { createSingleStep } from "../../../guard/src/index.ts";
import { runPipe } from "../../../pipe/src/index.ts";
import { createHost, type Host, type HostOptions } from "../../src/index.ts";
import { asking, createTestServer } from "../servers.ts";

const CONTEXT = { user: "u1" };

/** A host that notes, for each hook, which context it was given for which tool. */
async function open({ use = [], ...options }: Partial<HostOptions> = {}) {
  const outputSchema = { type: "object" };
  const served = await createTestServer({
    a: { definition: { outputSchema }, answer: () => ({ ...asking("b"), structuredContent: {} }) },
    b: {},
  });
  const seen: [string, string, unknown][] = [];
  const host: Host = await createHost({
    authorize: ({ tool, context }) => {
      seen.push(["authorize", tool.name, context]);
      return "allow";
    },
    use: [
      {
        name: "wrap",
        wrapCall: (call, next) => {
          seen.push(["intercept", call.tool.name, call.context]);
          return next(call);
        },
      },
      {
        name: "request",
        requestMeta: (request) => {
          if (request.method === "tools/call")
            seen.push(["requestMeta", request.tool.name, request.context]);
          return {};
        },
        requestHeaders: (request) => {
          if (request.method === "tools/call")
            seen.push(["requestHeaders", request.tool.name, request.context]);
          return undefined;
        },
      },
      ...use,
    ],
    ...options,
    servers: { bank: served.client, ...options.servers },
  });
  onTestFinished(() => host.close());
  return { host, seen, served };
}

const HOOKS = ["authorize", "intercept", "requestMeta", "requestHeaders"];
const told = (...tools: string[]) =>
  tools.flatMap((tool) => HOOKS.map((hook) => [hook, tool, CONTEXT]));

it("Every hook is given the context of a call and of all that follow from it, and no server is.", async () => {
  const { host, seen, served } = await open();
  const chain = await host.run({ tool: "a" }, { context: CONTEXT });
  expect(seen).toEqual(told("a", "b"));
  expect(JSON.stringify([chain, served.seen])).not.toContain("u1");
});

describe("A checked call", () => {
  const request = { tool: "b", arguments: {} };
  /** Checks and makes a call, and returns the contexts that its hooks were given. */
  async function spend(given: { readonly checked: unknown; readonly called?: unknown }, use = {}) {
    const { host, seen } = await open({ use: [{ name: "users", ...use }] });
    const checked = await host.check(request, { context: given.checked });
    await host.call(checked, "called" in given ? { context: given.called } : {});
    return seen.map(([, , context]) => context);
  }

  it("keeps the context that it was checked with, unless the call states another of this user.", async () => {
    expect(await spend({ checked: CONTEXT })).toEqual([CONTEXT, CONTEXT, CONTEXT, CONTEXT]);
    const later = { user: { id: "u1" }, request: 2 };
    expect(await spend({ checked: CONTEXT, called: later })).toEqual([
      CONTEXT,
      later,
      later,
      later,
    ]);
  });

  it.each([
    ["another user", CONTEXT, "u2"],
    ["nobody", CONTEXT, {}],
    ["a user where the check had none", undefined, CONTEXT],
  ])("is not made for %s.", async (_, before, called) => {
    const { host, seen } = await open();
    const checked = await host.check(request, { context: before });
    seen.length = 0;
    const made = host.call(checked, { context: called });
    await expect(made).rejects.toMatchObject({
      code: "denied",
      message: "bank.b was not called: it was checked for another user. Check it for this one.",
    });
    await expect(host.call(checked)).rejects.toMatchObject({ code: "invalid-options" });
    expect(seen).toEqual([]);
    const inChain = await host.check(request, { context: before });
    expect(await host.run(inChain, { context: called })).toMatchObject({ ended: "denied" });
    expect(seen).toHaveLength(1);
  });

  it("is made for the user whom `userOf` of a plugin finds, as an approval is.", async () => {
    const userOf = (context: unknown) => Object(context).account;
    const [checked, called] = [
      { account: "a", user: "u1" },
      { account: "a", user: "u2" },
    ];
    expect(await spend({ checked, called }, { userOf })).toContain(called);
    const other = { account: "b", user: "u1" };
    await expect(spend({ checked, called: other }, { userOf })).rejects.toThrow("another user");
    expect(await spend({ checked, called: other }, { userOf: () => undefined })).toContain(other);
  });
});

it("A chain that continues after a pause is given the context again, rules included.", async () => {
  const views: unknown[] = [];
  const { host, seen } = await open({
    authorize: ({ origin }) => (origin.by === "chain" ? "ask" : "allow"),
    use: [
      rules([
        {
          after: "*",
          when: ({ context }) => Object(context).user === "u1",
          next: (view) => void views.push(view.context),
          overrides: true,
        },
      ]),
    ],
  });
  const waiting = await host.run({ tool: "a" }, { context: CONTEXT });
  expect(JSON.stringify(waiting)).not.toContain("u1");
  seen.splice(0);
  await host.resume(waiting, "approve", { context: CONTEXT });
  expect(seen.map(([, , context]) => context)).toEqual([CONTEXT, CONTEXT, CONTEXT]);
  expect(views).toEqual([CONTEXT, CONTEXT, CONTEXT]); // Once more on the way back, since the hop must still follow.
});

it("The steps of a pipe are given the context of its run.", async () => {
  const spec = { steps: [{ id: "s", tool: "bank.b", args: {} }] };
  const { host, seen } = await open();
  await runPipe(host, { spec, context: CONTEXT });
  expect(seen).toEqual(told("b"));
});

it("A guarded call is given the context that it was asked with.", async () => {
  const { host, seen } = await open();
  const guard = createSingleStep(host, { allow: { "bank.a": "allow" } });
  await guard.startQuery().call({ tool: "bank.a" }, { context: CONTEXT });
  expect(seen).toEqual(told("a"));
});
