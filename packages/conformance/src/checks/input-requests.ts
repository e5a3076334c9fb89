import { deepEqual } from "node:assert/strict";
import type { InputResponses } from "@toolrail/core";
import { ended, lacks, matches, reported } from "../assertions.ts";
import type { MemoryTool } from "../memory-server.ts";
import type { Checks } from "../scenario.ts";
import { asking, hopNames, readText } from "./results.ts";

const FORM = { type: "object", properties: { pin: { type: "string" } }, required: ["pin"] };

/** A tool that asks the user, then asks for the next call. */
const ASKING: MemoryTool = {
  asks: true,
  answer: ({ inputResponses }) => {
    if (inputResponses) return asking("b");
    const params = { message: "Your PIN?", requestedSchema: FORM };
    const inputRequests = { pin: { method: "elicitation/create", params } };
    return { resultType: "input_required", inputRequests, requestState: "opaque-1" };
  },
};
const BANK = { bank: { a: ASKING, b: {} } };
const answer = (pin: unknown) => ({ input: { pin: { action: "accept", content: { pin } } } });
const RIGHT = answer("1234") as { readonly input: InputResponses };
const VISITED = { input: { page: { action: "accept" } } } as const;
const WRONG = answer(1234) as { readonly input: InputResponses };

const PAGE = { mode: "url", message: "Visit bank.example.", url: "https://bank.example/" };

const SENDING: MemoryTool = {
  asks: true,
  answer: ({ inputResponses }) =>
    inputResponses
      ? asking("b")
      : {
          resultType: "input_required",
          inputRequests: { page: { method: "elicitation/create", params: PAGE } },
        },
};

/** Checks of calls whose server asks the user before it answers. */
export const inputRequestChecks = {
  "input/waits": async (run, open) => {
    const { host, servers } = await open(BANK);
    const outcome = await run({ host, tool: "bank.a" });
    ended(outcome, "needs-input");
    deepEqual(servers.bank.calls, ["a"]);
    lacks(readText(outcome), "PIN");
  },

  "input/unstored": async (run, open) => {
    const { host } = await open(BANK);
    const outcome = await run({ host, tool: "bank.a" });
    lacks(reported(outcome.stored, "stored"), "opaque-1");
  },

  "input/answered": async (run, open) => {
    const { host, servers } = await open(BANK);
    const paused = await run({ host, tool: "bank.a", arguments: { n: 1 } });
    const outcome = await reported(paused.resume, "resume")(RIGHT);
    deepEqual(servers.bank.calls, ["a", "a", "b"]);
    deepEqual(hopNames(outcome), ["bank.a", "bank.b"]);
    const again = { arguments: { n: 1 }, inputResponses: RIGHT.input, requestState: "opaque-1" };
    matches(servers.bank.seen[1], again);
    lacks(readText(outcome), "1234");
  },

  "input/page": async (run, open) => {
    const { host, servers } = await open({ bank: { a: SENDING, b: {} } });
    const paused = await run({ host, tool: "bank.a" });
    ended(paused, "needs-input");
    const outcome = await reported(paused.resume, "resume")(VISITED);
    deepEqual(servers.bank.calls, ["a", "a", "b"]);
    lacks(readText(paused) + readText(outcome), "bank.example");
  },

  "input/refitted": async (run, open) => {
    const { host, servers } = await open(BANK);
    const paused = await run({ host, tool: "bank.a" });
    const again = await reported(paused.resume, "resume")(WRONG);
    ended(again, "needs-input");
    deepEqual(servers.bank.calls, ["a"]);
    await reported(again.resume, "resume")(RIGHT);
    deepEqual(servers.bank.calls, ["a", "a", "b"]);
  },
} satisfies Checks<"chain">;
