import { deepEqual, equal } from "node:assert/strict";
import { contains, matches, reported } from "../assertions.ts";
import type { Checks, OpenScenario } from "../scenario.ts";
import { echo, group, step } from "./results.ts";

const pay = (id: string) => ({ id, tool: "pay", args: { v: id } });

export const pipePauseChecks = {
  "pipe/waits": async (run, open) => {
    const { host, servers } = await openShop(open);
    const spec = { steps: [step("a"), pay("p"), step("b")] };
    const { resume } = await run({ host, spec, pauses: true });
    equal(typeof resume, "function");
    deepEqual(sent(servers), ["a"]);
  },

  "pipe/goes-on": async (run, open) => {
    const { host, servers } = await openShop(open);
    const spec = {
      steps: [step("a"), pay("p"), step("b", { $ref: "steps.p.structured.v" })],
    };
    const paused = await run({ host, spec, pauses: true });
    const { result } = await reported(paused.resume, "resume")("approve");
    matches(result, { ok: true, error: "", result: { v: "p" } });
    deepEqual(Object.keys(Object(result.steps)), ["a", "p", "b"]);
    deepEqual(sent(servers), ["a", "p", "p"]);
    deepEqual(servers.web.calls, ["echo", "pay", "echo"]);
  },

  "pipe/changes": async (run, open) => {
    const { host, servers } = await openShop(open);
    const paused = await run({ host, spec: { steps: [step("a"), pay("p")] }, pauses: true });
    const change = { approve: { arguments: { v: "less" } } };
    const { result } = await reported(paused.resume, "resume")(change);
    deepEqual(sent(servers), ["a", "less"]);
    matches(result, { ok: true, steps: { p: { hops: [{ changedFrom: { v: "p" } }] } } });
  },

  "pipe/changes-read": async (run, open) => {
    const { host } = await openShop(open);
    const paused = await run({ host, spec: { steps: [pay("p")] }, pauses: true });
    const change = { approve: { arguments: { v: "less" } } };
    const { modelRead } = await reported(paused.resume, "resume")(change);
    contains(JSON.stringify(reported(modelRead, "modelRead")), "changed its arguments");
  },

  "pipe/waits-again": async (run, open) => {
    const { host, servers } = await openShop(open);
    const spec = { steps: [group("g", pay("p"), pay("q"), step("a")), pay("z")] };
    const paused = await run({ host, spec, pauses: true });
    deepEqual(sent(servers), ["a"]);
    const again = await reported(paused.resume, "resume")("approve");
    deepEqual(sent(servers).toSorted(), ["a", "p", "q"]);
    const { result } = await reported(again.resume, "resume")("approve");
    matches(result, { ok: true });
    deepEqual(sent(servers).slice(3), ["z"]);
  },

  "pipe/wait-denied": async (run, open) => {
    const { host, servers } = await openShop(open);
    const paused = await run({ host, spec: { steps: [pay("p"), step("b")] }, pauses: true });
    const { result } = await reported(paused.resume, "resume")({ deny: "too dear" });
    matches(result, { ok: false, result: null });
    deepEqual(Object.keys(Object(result.steps)), ["p"]);
    deepEqual(servers.web.calls, []);
  },
} satisfies Checks<"pipe">;

function openShop(open: OpenScenario) {
  return open(
    { web: { echo, pay: echo } },
    { authorize: ({ tool }) => (tool.name === "pay" ? "ask" : "allow") },
  );
}

function sent({ web }: { readonly web: { readonly seen: readonly { arguments: unknown }[] } }) {
  return web.seen.map((call) => Object(call.arguments).v);
}
