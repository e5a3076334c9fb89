import { type CallOptions, checkCallOptions, checkRequest } from "../call/call-options.ts";
import { notify } from "../call/events.ts";
import type { HostParts } from "../call/host-parts.ts";
import { checkCall, makeCall } from "../call/make-call.ts";
import type { KeepOptions } from "../call/plugin.ts";
import { startDeadline } from "../call/until-aborted.ts";
import { type OnHop, resumeChain, runChain } from "../chain/run-chain.ts";
import { createOptionCheck } from "../check-options.ts";
import type { Hop } from "../result/hop.ts";
import type { ServerLists } from "../servers/server-lists.ts";
import type { HostEngine } from "./engine.ts";
import type { Host } from "./host.ts";

export function toHost(
  host: HostParts,
  { engine, lists }: { readonly engine: HostEngine; readonly lists: ServerLists },
): Host {
  const { nextHop, onEnd } = engine;
  const chain = { host, nextHop, onEnd };
  return {
    get tools() {
      return lists.catalog().tools;
    },
    get problems() {
      return lists.catalog().problems;
    },
    get instructions() {
      return lists.instructions();
    },
    find: (tool) => lists.catalog().find(tool),
    async check(request, options = {}) {
      checkRequest("host.check", { request, options });
      const { signal, wait, end } = startDeadline(options, host.limits);
      try {
        return await wait(checkCall(host, { request, options: { ...options, signal } }));
      } finally {
        end();
      }
    },
    async call(request, options = {}) {
      checkRequest("host.call", { request, options });
      const { signal, wait, end } = startDeadline(options, host.limits);
      try {
        return await wait(makeCall(host, { request, options: { ...options, signal } }));
      } finally {
        end();
      }
    },
    async run(request, options = {}) {
      checkRequest("host.run", { request, options });
      const { runId = host.newId() } = options;
      return runChain(chain, { request, runId, onHop: toListener(host, options) }, options);
    },
    async resume(paused, decision, options = {}) {
      checkCallOptions(options, "host.resume");
      return resumeChain(chain, { paused, decision, onHop: toListener(host, options) }, options);
    },
    async keep(source, options = {}) {
      checkKeep(options);
      const { keepHop } = host.hooks;
      const keep = async (hop: Hop) => {
        let kept = hop;
        for (const one of keepHop) kept = await one(kept, options);
        return kept;
      };
      if (!("hops" in source)) return keep(source as Hop) as Promise<typeof source>;
      return { ...source, hops: await Promise.all(source.hops.map(keep)) };
    },
    refresh: lists.refresh,
    async close() {
      await lists.close();
    },
  };
}

const checkKeep = /* @__PURE__ */ createOptionCheck<KeepOptions>("host.keep", {
  conversation: "id",
  canRead: "boolean",
});

/** Returns the listener of a run without its errors, which must end nothing: the call was made. */
function toListener(host: HostParts, { onHop }: CallOptions): OnHop | undefined {
  return onHop && ((hop) => notify({ onHop }, hop, host));
}
