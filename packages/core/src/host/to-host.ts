import { checkCall, checkCallOptions } from "../call/check-call-options.ts";
import { checkCall as checkOnly, makeCall } from "../call/make-call.ts";
import type { HostParts } from "../call/passage.ts";
import { startDeadline } from "../call/until-aborted.ts";
import { resumeChain } from "../chain/resume-chain.ts";
import { runChain } from "../chain/run-chain.ts";
import { createOptionCheck } from "../check-options.ts";
import type { ChainResult } from "../result/chain-result.ts";
import type { Hop } from "../result/hop.ts";
import type { ServerLists } from "../servers/server-lists.ts";
import type { CallOptions, CallRequest } from "../types/call-options.ts";
import type { KeepOptions } from "../types/plugin.ts";
import type { Host } from "./host.ts";
import type { HostEngine } from "./host-engine.ts";

/** The public interface of a host. */
export function toHost(
  door: HostParts,
  { engine, lists }: { readonly engine: HostEngine; readonly lists: ServerLists },
): Host {
  const { nextHop, onEnd } = engine;
  const chain = { door, nextHop, onEnd };
  const stream: Host["stream"] = (request, options = {}) => {
    checkCall("host.stream", { request, options });
    return begin(request, options);
  };
  const begin: Host["stream"] = (request, options = {}) => {
    const { admission } = options;
    const admitted = admission?.type === "allow" ? admission.call.runId : undefined;
    const runId = options.runId ?? admitted ?? door.newId();
    return runChain(chain, { request, runId }, options);
  };
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
        checkCall("host.check", { request, options });
        return checkOnly(door, { request, options });
      }),
    call: (request, options = {}) =>
      rejecting(() => {
        checkCall("host.call", { request, options });
        return callInTime(door, request, options);
      }),
    async run(request, options) {
      checkCall("host.run", { request, options });
      return finish(begin(request, options));
    },
    stream,
    async resume(paused, decision, options = {}) {
      checkCallOptions(options, "host.resume");
      return finish(resumeChain(chain, { paused, decision }, options));
    },
    async keep(source, options = {}) {
      checkKeep(options);
      const { keepHop } = door.hooks;
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
      const { close = [] } = door.hooks;
      await Promise.allSettled(close.map(async (one) => one()));
    },
  };
}

const checkKeep = /* @__PURE__ */ createOptionCheck<KeepOptions>("host.keep", {
  conversation: "text",
  canRead: "boolean",
});

/** Makes an exception before the first await a rejection, and costs other calls no turn of the event loop. */
function rejecting<T>(work: () => Promise<T>): Promise<T> {
  try {
    return work();
  } catch (cause) {
    return Promise.reject(cause);
  }
}

/** Makes one call within the time that a run may take, whatever waits in it. */
async function callInTime(
  door: HostParts,
  request: CallRequest,
  options: CallOptions,
): Promise<Hop> {
  const { signal, wait, end } = startDeadline(options, door.limits);
  try {
    return await wait(makeCall(door, { request, options: { ...options, signal } }));
  } finally {
    end();
  }
}

async function finish(hops: AsyncGenerator<Hop, ChainResult, undefined>): Promise<ChainResult> {
  for (;;) {
    const step = await hops.next();
    if (step.done) return step.value;
  }
}
