import { audience } from "../call/audiences.ts";
import { createOfferedLinks, RESOURCES } from "../call/offered-links.ts";
import { ToolrailError } from "../errors.ts";
import type { HostKit, HostPlugin, HostUse } from "../types/plugin.ts";
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
  if (options.readResources) more.push(linksPlugin);
  if (store?.claim)
    more.push({ name: "once", once: { store: store as ClaimingStore, afterCrash } });
  return more;
}

/** Lets models read those resources alone to which results have linked. */
function linksPlugin({ now, limits }: HostKit): HostPlugin {
  const links = createOfferedLinks(now, limits.pendingHopTtlMs);
  return {
    name: "resources",
    examineCall({ tool, arguments: args, origin, scope }) {
      const isModels = origin.by === "model" || (origin.by === "pipe" && origin.author === "model");
      const isOwn = origin.by === "application" || (origin.by === "pipe" && !isModels);
      if (tool.name !== RESOURCES || args.uri === undefined || isOwn) return undefined;
      if (links.has({ tool, scope }, String(args.uri))) return undefined;
      throw new ToolrailError("not-allowed", NO_LINK);
    },
    recordCall(call, outcome) {
      if ("content" in outcome) links.remember(call, outcome);
    },
  };
}

const NO_LINK =
  "The resource was not read: no result of this conversation links to it. Call the tool without `uri` to list the resources.";
