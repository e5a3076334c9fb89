/** Makes each call once, even if several workers try. @module */

import { ToolrailError } from "@toolrail/core";
import { createOptionCheck } from "@toolrail/core/adapter";
import { type ClaimingStore, type HostUse, oneOf } from "@toolrail/core/plugin";

/** Options of `once`. */
export interface OnceOptions {
  /**
   * The action for a call whose worker was lost before its answer was stored. `"ask"` ends the chain with `needs-approval` and
   * the error `outcome-unknown`. `"repeat"` makes the call again. Default `"ask"`, but idempotent tools are always repeated.
   */
  readonly afterCrash?: "ask" | "repeat";
}

const checkOptions = /* @__PURE__ */ createOptionCheck<OnceOptions>("once", {
  afterCrash: oneOf("ask", "repeat"),
});

/**
 * Makes calls with a `key` once in all workers that share the host's `store`, and chooses what happens after a crash. A store
 * that can `claim` makes calls once even without this, except those of read-only tools. The other workers receive the result.
 */
export function once(options: OnceOptions = {}): HostUse {
  checkOptions(options);
  const { afterCrash = "ask" } = options;
  return ({ ownStore: store }) => {
    if (!store?.claim) {
      const message =
        "once() needs createHost({ store }) with a store that can `claim`: see `Store`.";
      throw new ToolrailError("invalid-options", message);
    }
    return { name: "once", once: { store: store as ClaimingStore, afterCrash } };
  };
}
