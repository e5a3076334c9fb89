import type { DoorHooks } from "../call/tool-call.ts";
import { toToolTest } from "../call/tool-patterns.ts";
import { ToolrailError } from "../errors.ts";
import type { HostOptions } from "./host-options.ts";

/** `authorize` and `ask` as one rule; `undefined` where there is neither. */
export function authorizeByList({
  authorize,
  ask,
}: Pick<HostOptions, "authorize" | "ask">): DoorHooks["authorize"] {
  if (ask === undefined) return authorize;
  if (!Array.isArray(ask)) throw new ToolrailError("invalid-options", NO_LIST);
  const isAsked = toToolTest(ask, "ask");
  return async (call) => {
    const word = authorize ? await authorize(call) : "allow";
    const isOpen = word === "allow" && call.origin.by !== "application";
    return isOpen && isAsked(call.tool) ? "ask" : word;
  };
}

const NO_LIST = 'ask must be a list of patterns such as "shop.pay_refund" or "bank.*".';
