import type { CallListeners } from "../call/call-listeners.ts";
import type { ChainResult } from "../result/chain-result.ts";
import type { Hop } from "../result/hop.ts";
import { isForUserInPart, type ModelView, modelView, resultsOf } from "../result/model-view.ts";
import type { Host } from "./host.ts";
import { engineOf } from "./host-engine.ts";

/** What models read of the results of a host's tools. Where nobody listens, nothing counts as shown to the user. */
export function createModelViews(
  host: Host,
  { onHop, onResult }: CallListeners,
): (source: Hop | ChainResult) => ModelView {
  const { hasListener, warn } = engineOf(host);
  const isShown = hasListener || Boolean(onHop ?? onResult);
  return (source) => {
    if (!isShown && resultsOf(source).some(isForUserInPart)) warn("nobody-listens");
    return modelView(source, { isShown });
  };
}
