import { rules } from "@toolrail/core/rules";
import { expect, it, onTestFinished } from "vitest";
import { createSingleStep } from "../../src/guard/index.ts";
import { createHost, type Host, type HostOptions } from "../../src/index.ts";
import { runPipe } from "../../src/pipe/index.ts";
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
  const [, ...made] = seen; // The query asks first whether the call may be made.
  expect(made).toEqual(told("a"));
});
