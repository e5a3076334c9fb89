/** Makes each call once, even if several workers try. @module */

import type { HostUse } from "../call/plugin.ts";
import type { ClaimingStore } from "../call/store.ts";
import { ToolrailError } from "../errors.ts";

/**
 * Ensures that calls with a `key` are made once in all workers that share the host's `store`: the host is refused if its store
 * cannot `claim`. The other workers receive the result of the first. A call whose worker was lost is `outcome-unknown`.
 */
export function once(): HostUse {
  return ({ store }) => {
    if (!store?.claim) {
      const message =
        "once() needs createHost({ store }) with a store that can `claim`: see `Store`.";
      throw new ToolrailError("invalid-options", message);
    }
    return { name: "once", once: { store: store as ClaimingStore } };
  };
}
