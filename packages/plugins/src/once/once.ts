import { ToolrailError } from "@toolrail/core";
import { createOptionCheck } from "@toolrail/core/adapter";
import { type ClaimingStore, type HostUse, oneOf } from "@toolrail/core/plugin";

/** How calls are made once. */
export interface OnceOptions {
  /**
   * What happens to a call whose worker was lost before its answer was stored. `"ask"` ends the chain with `needs-approval`
   * and the error `outcome-unknown`; `"repeat"` makes it again. Default `"ask"`; idempotent tools are repeated.
   */
  readonly afterCrash?: "ask" | "repeat";
}

const checkOptions = /* @__PURE__ */ createOptionCheck<OnceOptions>("once", {
  afterCrash: oneOf("ask", "repeat"),
});

/**
 * Says how calls that have a `place` are made once in all workers that share the host's `store`. A host whose store can
 * `claim` makes them once in any case, unless their tools are read-only: the other workers get the result.
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
