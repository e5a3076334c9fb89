import { deepEqual, equal } from "node:assert/strict";
import type { ReceivedInput } from "@toolrail/core";
import { ended, lacks, matches } from "../assertions.ts";
import type { Checks } from "../scenario.ts";
import { asking, hopNames, readText } from "./results.ts";

const FORM = { type: "object", properties: { pin: { type: "string" } }, required: ["pin"] };
const PIN = { message: "Your PIN?", requestedSchema: FORM };
const PAGE = { mode: "url", message: "Visit bank.example.", url: "https://bank.example/" };

/** A bank whose tool `a` asks the user, and then asks for the next call. */
function openAsking(params: object, { isEndless = false } = {}) {
  const inputRequests = { asked: { method: "elicitation/create", params } };
  const interim = { resultType: "input_required", inputRequests, requestState: "opaque-1" };
  const a = {
    answer: ({ inputResponses }: { readonly inputResponses?: unknown }) =>
      inputResponses && !isEndless ? asking("b") : interim,
  };
  return { bank: { a, b: {} } };
}

const accept = (pin: unknown) => ({ action: "accept", content: { pin } }) as const;

/** Checks of calls whose server asks the user before it answers. */
export const inputRequestChecks = {
  "input/unanswered": async (run, open) => {
    const { host, servers } = await open(openAsking(PIN));
    const outcome = await run({ host, tool: "bank.a" });
    ended(outcome, "failed");
    deepEqual(servers.bank.calls, ["a"]);
    lacks(readText(outcome), "PIN");
  },

  "input/answered": async (run, open) => {
    const onInputRequest = () => accept("1234");
    const { host, servers } = await open(openAsking(PIN), { onInputRequest });
    const outcome = await run({ host, tool: "bank.a", arguments: { n: 1 } });
    deepEqual(servers.bank.calls, ["a", "a", "b"]);
    deepEqual(hopNames(outcome), ["bank.a", "bank.b"]);
    const inputResponses = { asked: accept("1234") };
    const again = { arguments: { n: 1 }, inputResponses, requestState: "opaque-1" };
    matches(servers.bank.seen[1], again);
    lacks(readText(outcome), "1234");
  },

  "input/page": async (run, open) => {
    const onInputRequest = () => ({ action: "accept" }) as const;
    const { host, servers } = await open(openAsking(PAGE), { onInputRequest });
    const outcome = await run({ host, tool: "bank.a" });
    deepEqual(servers.bank.calls, ["a", "a", "b"]);
    lacks(readText(outcome), "bank.example");
  },

  "input/refitted": async (run, open) => {
    const asked: ReceivedInput[] = [];
    const onInputRequest = (request: ReceivedInput) => {
      asked.push(request);
      return accept(request.problem === undefined ? 1234 : "1234");
    };
    const { host, servers } = await open(openAsking(PIN), { onInputRequest });
    await run({ host, tool: "bank.a" });
    equal(asked.length, 2);
    deepEqual(servers.bank.calls, ["a", "a", "b"]);
    matches(servers.bank.seen[1], { inputResponses: { asked: accept("1234") } });
  },

  "input/bounded": async (run, open) => {
    let asked = 0;
    const onInputRequest = () => {
      asked++;
      return accept("1234");
    };
    const servers = openAsking(PIN, { isEndless: true });
    const { host } = await open(servers, { onInputRequest });
    ended(await run({ host, tool: "bank.a" }), "failed");
    equal(asked, 10);
  },
} satisfies Checks<"chain">;
