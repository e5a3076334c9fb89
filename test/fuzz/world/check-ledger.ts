import { deepEqual, ok } from "node:assert/strict";
import { META_ONLY, USER_ONLY } from "./answers.ts";
import { callKey, type Ledger } from "./ledger.ts";
import { ruleOn, wordOn } from "./policy.ts";
import { idOf, type World } from "./tool-plan.ts";

/** Throws where a run did what no run may do, whatever it came to. */
export function checkLedger({ tools }: World, ledger: Ledger): void {
  const { calls, offences, approved, authorized, crashes } = ledger;
  deepEqual(offences, []);
  const made = new Map<string, number>();
  for (const call of calls) {
    const key = callKey(call);
    made.set(key, (made.get(key) ?? 0) + 1);
    const plan = tools.find((one) => idOf(one) === call.tool);
    ok(plan && plan.place !== "forbidden", `outside of the allowlist: ${key}`);
    ok(authorized.includes(key), `nobody authorized it: ${key}`);
    const rule = ruleOn(plan, call);
    ok(rule !== "deny", `made against the policy: ${key}`);
    if (rule === "allow") continue;
    ok(wordOn(call) === "approve", `made against the person's word: ${key}`);
    const yes = approved.filter((one) => one === key).length;
    ok(yes > 0, `nobody approved it: ${key}`);
    ok((made.get(key) ?? 0) <= yes + crashes, `made more often than it was approved: ${key}`);
  }
  for (const [key, count] of made) ok(count <= 1 + crashes, `made ${count} times: ${key}`);
}

/** Throws where a model was given what is not for it. */
export function checkShown(prompts = ""): void {
  for (const mark of [USER_ONLY, META_ONLY]) {
    const at = prompts.indexOf(mark);
    ok(at < 0, `A model was given: ${prompts.slice(Math.max(0, at - 200), at + 100)}`);
  }
}
