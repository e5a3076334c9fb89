import { checkAtDoor } from "../call/admission.ts";
import { checkCall, checkCallOptions } from "../call/check-call-options.ts";
import { passDoor } from "../call/door.ts";
import type { DoorParts } from "../call/door-parts.ts";
import { RESOURCES } from "../call/offered-links.ts";
import { startDeadline } from "../call/until-aborted.ts";
import { resumeChain } from "../chain/resume-chain.ts";
import { runChain } from "../chain/run-chain.ts";
import { createOptionCheck } from "../check-options.ts";
import { ToolrailError } from "../errors.ts";
import { suggestName } from "../nearest-name.ts";
import type { ChainResult } from "../result/chain-result.ts";
import type { Hop } from "../result/hop.ts";
import type { ServerLists } from "../servers/server-lists.ts";
import type { CallOptions, CallRequest } from "../types/call-options.ts";
import type { Host } from "./host.ts";
import type { HostEngine } from "./host-engine.ts";
import type { KeepOptions, LongResults } from "./long-results.ts";

/** The public interface of a host. */
export function toHost(
  door: DoorParts,
  {
    engine,
    lists,
    keep,
  }: {
    readonly engine: HostEngine;
    readonly lists: ServerLists;
    readonly keep: LongResults["keep"] | undefined;
  },
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
        return checkAtDoor(door, request, options);
      }),
    call: (request, options = {}) =>
      rejecting(() => {
        checkCall("host.call", { request, options });
        return callInTime(door, request, options);
      }),
    async readResource(resource, options = {}) {
      checkResource(resource);
      checkCallOptions(options, "host.readResource");
      const { server, uri } = resource;
      const args = uri === undefined ? {} : { uri };
      return callInTime(door, { tool: { server, name: RESOURCES }, arguments: args }, options);
    },
    async run(request, options) {
      checkCall("host.run", { request, options });
      return finish(begin(request, options));
    },
    stream,
    async resume(paused, decision, options = {}) {
      checkCallOptions(options, "host.resume");
      return finish(resumeChain(chain, { paused, decision }, options));
    },
    async note(text, read) {
      checkNote({ text, ...read });
      const { from, scope } = read;
      if (!door.sources) throw new ToolrailError("invalid-options", NO_SOURCES);
      const { notes = [from] } = door.sources;
      if (!notes.includes(from)) {
        const message = `trackSources has no note "${from}" in its \`notes\`. ${suggestName(from, notes)}`;
        throw new ToolrailError("invalid-options", message);
      }
      const note = { scope, server: "", tool: from };
      await door.sources.expect(note);
      await door.sources.keep({ ...note, text });
    },
    async keep(source, options = {}) {
      checkKeep(options);
      return keep?.(source, options) ?? source;
    },
    refresh: lists.refresh,
    close: lists.close,
  };
}

const checkResource = /* @__PURE__ */ createOptionCheck<Parameters<Host["readResource"]>[0]>(
  "host.readResource",
  { server: "text", uri: "text" },
);
const checkNote = /* @__PURE__ */ createOptionCheck<
  { readonly text: string } & Parameters<Host["note"]>[1]
>("host.note", { text: "text", from: "text", scope: "text" });
const checkKeep = /* @__PURE__ */ createOptionCheck<KeepOptions>("host.keep", {
  scope: "text",
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
  door: DoorParts,
  request: CallRequest,
  options: CallOptions,
): Promise<Hop> {
  const { signal, wait, end } = startDeadline(options, door.limits);
  try {
    return await wait(passDoor(door, request, { ...options, signal }));
  } finally {
    end();
  }
}

const NO_SOURCES =
  "host.note needs createHost({ sources: trackSources() }); without it notes are not used.";

async function finish(hops: AsyncGenerator<Hop, ChainResult, undefined>): Promise<ChainResult> {
  for (;;) {
    const step = await hops.next();
    if (step.done) return step.value;
  }
}
