import { audience } from "../call/audiences.ts";
import type { HostUse } from "../types/plugin.ts";
import type { ClaimingStore } from "../types/store.ts";
import type { HostOptions } from "./host-options.ts";

/** The options of a host that are plugins, in the order in which they come before those of `use`. */
export function builtIn(options: HostOptions): readonly HostUse[] {
  const { intercept = [], screen = [] } = options;
  const { onHop, requestMeta, requestHeaders, traceparentOf, store, afterCrash = "ask" } = options;
  const listening = { onHop, requestMeta, requestHeaders, traceparentOf };
  const used = Object.entries(listening).filter(([, member]) => member !== undefined);
  const more: HostUse[] = [];
  if (used.length > 0) more.push({ name: "options", ...Object.fromEntries(used) });
  for (const [at, wrapCall] of intercept.entries()) {
    more.push({ name: `intercept[${at}]`, wrapCall });
  }
  for (const [at, checkTool] of screen.entries()) {
    more.push({ name: `screen[${at}]`, checkTool, names: checkTool.names });
  }
  if (options.audience || options.releases) more.push(audience(options));
  if (store?.claim)
    more.push({ name: "once", once: { store: store as ClaimingStore, afterCrash } });
  return more;
}
