import { checkCallOptions, checkMaking, checkRequest } from "../call/check-call-options.ts";
import { checkCall, makeCall } from "../call/make-call.ts";
import { notify } from "../call/notify.ts";
import { withChecked } from "../call/pass-again.ts";
import type { HostParts } from "../call/passage.ts";
import { startDeadline } from "../call/until-aborted.ts";
import { type OnHop, runChain } from "../chain/run-chain.ts";
import { createOptionCheck } from "../check-options.ts";
import type { Hop } from "../result/hop.ts";
import type { ServerLists } from "../servers/server-lists.ts";
import type { CallOptions } from "../types/call-options.ts";
import type { KeepOptions } from "../types/services.ts";
import type { Host } from "./host.ts";
import type { HostEngine } from "./host-engine.ts";

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
    check: (request, options = {}) =>
      rejecting(() => {
        checkRequest("host.check", { request, options });
        return checkCall(host, { request, options });
      }),
    async call(request, options = {}) {
      checkMaking("host.call", { request, options });
      const stated = withChecked(request, options);
      const { signal, wait, end } = startDeadline(stated, host.limits);
      try {
        return await wait(makeCall(host, { request, options: { ...stated, signal } }));
      } finally {
        end();
      }
    },
    run: (request, options = {}) =>
      rejecting(() => {
        checkMaking("host.run", { request, options });
        const stated = withChecked(request, options);
        const { runId = host.newId() } = stated;
        return runChain(chain, { request, runId, ...toListener(stated) }, stated);
      }),
    async resume(paused, decision, options = {}) {
      checkCallOptions(options, "host.resume");
      const { resumeChain } = await import("../chain/resume-chain.ts");
      return resumeChain(chain, { paused, decision, ...toListener(options) }, options);
    },
    async keep(source, options = {}) {
      checkKeep(options);
      const { keepHop } = host.hooks;
      if (!keepHop) return source;
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
      const { close = [] } = host.hooks;
      await Promise.allSettled(close.map(async (one) => one()));
    },
  };
}

const checkKeep = /* @__PURE__ */ createOptionCheck<KeepOptions>("host.keep", {
  conversation: "id",
  canRead: "boolean",
});

/** Turns an exception before the first await into a rejection, and costs other calls no turn of the event loop. */
function rejecting<T>(work: () => Promise<T>): Promise<T> {
  try {
    return work();
  } catch (cause) {
    return Promise.reject(cause);
  }
}

/** Returns the listener of a run without its errors, which must end nothing: the call was made. */
function toListener({ onHop }: CallOptions): { onHop?: OnHop } {
  return onHop ? { onHop: (hop) => notify(onHop, hop) } : {};
}
