import type { HostUse } from "../types/plugin.ts";
import type { ClaimingStore } from "../types/store.ts";
import type { HostOptions } from "./host-options.ts";

/** The options of a host that are plugins, in the order in which they come before those of `use`. */
export function builtIn(options: HostOptions): readonly HostUse[] {
  const { store, afterCrash = "ask" } = options;
  const more: HostUse[] = [];
  if (store?.claim)
    more.push({ name: "once", once: { store: store as ClaimingStore, afterCrash } });
  return more;
}
