import type { Policy } from "../call/tool-call.ts";
import { toToolTest } from "../call/tool-patterns.ts";
import { ToolrailError } from "../errors.ts";
import type { HostOptions } from "./host-options.ts";

/** `authorize` and `ask` as policies; `undefined` if there is neither. */
export function policiesOf({
  authorize,
  ask,
}: Pick<HostOptions, "authorize" | "ask">): readonly Policy[] | undefined {
  const policies = authorize === undefined ? [] : [authorize].flat();
  if (ask === undefined) return authorize === undefined ? undefined : policies;
  if (!Array.isArray(ask)) throw new ToolrailError("invalid-options", NO_LIST);
  const isAsked = toToolTest(ask, "ask");
  const byList: Policy = ({ tool, origin }) =>
    origin.by !== "application" && isAsked(tool) ? "ask" : "allow";
  return [...policies, byList];
}

const NO_LIST = 'ask must be a list of patterns such as "shop.pay_refund" or "bank.*".';
