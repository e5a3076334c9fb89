import { expect } from "vitest";
import { asking } from "../../../packages/core/test/servers.ts";
import type { Check } from "../harness.ts";
import { expectEnded, hopNames, openScenario } from "../scenario.ts";

/** A bank whose tool `a` answers with that `_meta`, beside the tools `b` and `c`. */
function withMeta(meta: object) {
  return { bank: { a: { answer: () => ({ content: [], _meta: meta }) }, b: {}, c: {} } };
}

const APP_ONLY = { definition: { _meta: { ui: { visibility: ["app"] } } } };

/** How `nextTool` is read, and which tool it means. */
export const nextToolChecks = {
  "chain/openai-key": async (run) => {
    const { host, servers } = await openScenario(withMeta({ "openai/nextTool": { tool: "b" } }));
    await run({ host, tool: "bank.a" });
    expect(servers.bank.calls).toEqual(["a", "b"]);
  },

  "chain/alias": async (run) => {
    const { host, servers } = await openScenario(withMeta({ nextTool: { name: "b" } }));
    await run({ host, tool: "bank.a" });
    expect(servers.bank.calls).toEqual(["a", "b"]);
  },

  "chain/alias-conflict": async (run) => {
    const meta = { nextTool: { name: "b", tool: "c" } };
    const { host, servers } = await openScenario(withMeta(meta));
    const outcome = await run({ host, tool: "bank.a" });
    expect(servers.bank.calls).toEqual(["a"]);
    expectEnded(outcome, "malformed");
  },

  "chain/key-list": async (run) => {
    const meta = { nextTool: { tool: "c" }, "org.example/next": { tool: "b" } };
    const { host, servers } = await openScenario(withMeta(meta), {
      nextToolKeys: ["org.example/next"],
    });
    await run({ host, tool: "bank.a" });
    expect(servers.bank.calls).toEqual(["a", "b"]);
  },

  "chain/key-agree": async (run) => {
    const meta = { nextTool: { tool: "b" }, "openai/nextTool": { name: "b", arguments: {} } };
    const { host, servers } = await openScenario(withMeta(meta));
    const outcome = await run({ host, tool: "bank.a" });
    expect(servers.bank.calls).toEqual(["a", "b"]);
    expectEnded(outcome, "complete");
  },

  "chain/key-conflict": async (run) => {
    const meta = { nextTool: { tool: "b" }, "openai/nextTool": { tool: "c" } };
    const { host, servers } = await openScenario(withMeta(meta));
    const outcome = await run({ host, tool: "bank.a" });
    expect(servers.bank.calls).toEqual(["a"]);
    expectEnded(outcome, "malformed");
  },

  "chain/malformed": async (run) => {
    const shapes = [
      "b",
      ["b"],
      {},
      { tool: 1 },
      { tool: "" },
      { tool: "b", arguments: "{}" },
      { tool: "b", arguments: [] },
      { tool: "b", arguments: null },
      { tool: "b", when: "always" },
    ];
    for (const nextTool of shapes) {
      const { host, servers } = await openScenario(withMeta({ nextTool }));
      const outcome = await run({ host, tool: "bank.a" });
      expect(servers.bank.calls, JSON.stringify(nextTool)).toEqual(["a"]);
      expect(hopNames(outcome)).toEqual(["bank.a"]);
      expectEnded(outcome, "malformed");
    }
  },

  "chain/own-server": async (run) => {
    const { host, servers } = await openScenario({
      bank: { a: { answer: () => asking("search") }, search: {} },
      web: { search: {} },
    });
    await run({ host, tool: "bank.a" });
    expect(servers.bank.calls).toEqual(["a", "search"]);
    expect(servers.web.calls).toEqual([]);
  },

  "chain/other-server": async (run) => {
    for (const target of ["pay", "mail.pay"]) {
      const { host, servers } = await openScenario({
        bank: { a: { answer: () => asking(target) } },
        mail: { pay: {} },
      });
      const outcome = await run({ host, tool: "bank.a" });
      expect(servers.mail.calls).toEqual([]);
      expect(outcome.hops).toHaveLength(1);
      expectEnded(outcome, "unknown-tool");
    }
  },

  "chain/operator-rule": async (run) => {
    const { host, servers } = await openScenario(
      { bank: { a: { answer: () => asking("send") } }, mail: { send: {}, wipe: {} } },
      { crossServerChains: [{ from: "bank.*", to: "mail.send" }] },
    );
    const outcome = await run({ host, tool: "bank.a" });
    expect(servers.mail.calls).toEqual(["send"]);
    expectEnded(outcome, "complete");
  },

  "chain/unknown-tool": async (run) => {
    const { host } = await openScenario({ bank: { a: { answer: () => asking("nowhere") } } });
    const outcome = await run({ host, tool: "bank.a" });
    expect(hopNames(outcome)).toEqual(["bank.a"]);
    expectEnded(outcome, "unknown-tool");
    expect(outcome.isError).toBe(true);
  },

  "chain/outside-allow": async (run) => {
    const { host, servers } = await openScenario(
      { bank: { a: { answer: () => asking("b") }, b: {} } },
      { allow: ["bank.a"] },
    );
    const outcome = await run({ host, tool: "bank.a" });
    expect(servers.bank.calls).toEqual(["a"]);
    expectEnded(outcome, "denied");
  },

  "chain/app-only": async (run) => {
    const { host, servers } = await openScenario({
      bank: { a: { answer: () => asking("b") }, b: APP_ONLY },
    });
    const outcome = await run({ host, tool: "bank.a" });
    expect(servers.bank.calls).toEqual(["a", "b"]);
    expectEnded(outcome, "complete");
  },
} satisfies Record<string, Check<"chain">>;
