import { deepEqual, equal } from "node:assert/strict";
import { rules } from "@toolrail/core/rules";
import { ended } from "../assertions.ts";
import type { Checks } from "../scenario.ts";
import { asking, hopNames } from "./results.ts";

/** Creates a bank whose tool `a` answers with a given `_meta`. It also has the tools `b` and `c`. */
function withMeta(meta: object) {
  return { bank: { a: { answer: () => ({ content: [], _meta: meta }) }, b: {}, c: {} } };
}

const APP_ONLY = { definition: { _meta: { ui: { visibility: ["app"] } } } };

/** Checks of how `nextTool` is read, and of the tool that it means. */
export const nextToolChecks = {
  "chain/openai-key": async (run, open) => {
    const { host, servers } = await open(withMeta({ "openai/nextTool": { tool: "b" } }));
    await run({ host, tool: "bank.a" });
    deepEqual(servers.bank.calls, ["a", "b"]);
  },

  "chain/alias": async (run, open) => {
    const { host, servers } = await open(withMeta({ nextTool: { name: "b" } }));
    await run({ host, tool: "bank.a" });
    deepEqual(servers.bank.calls, ["a", "b"]);
  },

  "chain/alias-conflict": async (run, open) => {
    const meta = { nextTool: { name: "b", tool: "c" } };
    const { host, servers } = await open(withMeta(meta));
    const outcome = await run({ host, tool: "bank.a" });
    deepEqual(servers.bank.calls, ["a"]);
    ended(outcome, "malformed");
  },

  "chain/key-list": async (run, open) => {
    const meta = { nextTool: { tool: "c" }, "org.example/next": { tool: "b" } };
    const { host, servers } = await open(withMeta(meta), {
      facts: { nextTool: ["org.example/next"] },
    });
    await run({ host, tool: "bank.a" });
    deepEqual(servers.bank.calls, ["a", "b"]);
  },

  "chain/key-agree": async (run, open) => {
    const meta = { nextTool: { tool: "b" }, "openai/nextTool": { name: "b", arguments: {} } };
    const { host, servers } = await open(withMeta(meta));
    const outcome = await run({ host, tool: "bank.a" });
    deepEqual(servers.bank.calls, ["a", "b"]);
    ended(outcome, "complete");
  },

  "chain/key-conflict": async (run, open) => {
    const meta = { nextTool: { tool: "b" }, "openai/nextTool": { tool: "c" } };
    const { host, servers } = await open(withMeta(meta));
    const outcome = await run({ host, tool: "bank.a" });
    deepEqual(servers.bank.calls, ["a"]);
    ended(outcome, "malformed");
  },

  "chain/malformed": async (run, open) => {
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
      const { host, servers } = await open(withMeta({ nextTool }));
      const outcome = await run({ host, tool: "bank.a" });
      deepEqual(servers.bank.calls, ["a"], JSON.stringify(nextTool));
      deepEqual(hopNames(outcome), ["bank.a"]);
      ended(outcome, "malformed");
    }
  },

  "chain/own-server": async (run, open) => {
    const { host, servers } = await open({
      bank: { a: { answer: () => asking("search") }, search: {} },
      web: { search: {} },
    });
    await run({ host, tool: "bank.a" });
    deepEqual(servers.bank.calls, ["a", "search"]);
    deepEqual(servers.web.calls, []);
  },

  "chain/other-server": async (run, open) => {
    for (const target of ["pay", "mail.pay"]) {
      const { host, servers } = await open({
        bank: { a: { answer: () => asking(target) } },
        mail: { pay: {} },
      });
      const outcome = await run({ host, tool: "bank.a" });
      deepEqual(servers.mail.calls, []);
      equal(outcome.hops.length, 1);
      ended(outcome, "unknown-tool");
    }
  },

  "chain/operator-rule": async (run, open) => {
    const { host, servers } = await open(
      { bank: { a: { answer: () => asking("send") } }, mail: { send: {}, wipe: {} } },
      { use: [rules([{ after: "bank.*", reaches: "mail.send" }])] },
    );
    const outcome = await run({ host, tool: "bank.a" });
    deepEqual(servers.mail.calls, ["send"]);
    ended(outcome, "complete");
  },

  "chain/unknown-tool": async (run, open) => {
    const { host } = await open({ bank: { a: { answer: () => asking("nowhere") } } });
    const outcome = await run({ host, tool: "bank.a" });
    deepEqual(hopNames(outcome), ["bank.a"]);
    ended(outcome, "unknown-tool");
    equal(outcome.isError, true);
  },

  "chain/outside-allow": async (run, open) => {
    const { host, servers } = await open(
      { bank: { a: { answer: () => asking("b") }, b: {} } },
      { allow: ["bank.a"] },
    );
    const outcome = await run({ host, tool: "bank.a" });
    deepEqual(servers.bank.calls, ["a"]);
    ended(outcome, "denied");
  },

  "chain/app-only": async (run, open) => {
    const { host, servers } = await open({
      bank: { a: { answer: () => asking("b") }, b: APP_ONLY },
    });
    const outcome = await run({ host, tool: "bank.a" });
    deepEqual(servers.bank.calls, ["a", "b"]);
    ended(outcome, "complete");
  },
} satisfies Checks<"chain">;
