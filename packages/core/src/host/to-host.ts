import { checkAtDoor } from "../call/admission.ts";
import { passDoor } from "../call/door.ts";
import type { DoorParts } from "../call/door-parts.ts";
import { RESOURCES } from "../call/offered-links.ts";
import { resumeChain } from "../chain/resume-chain.ts";
import { runChain } from "../chain/run-chain.ts";
import { ToolrailError } from "../errors.ts";
import type { ChainResult } from "../result/chain-result.ts";
import type { Hop } from "../result/hop.ts";
import type { ServerLists } from "../servers/server-lists.ts";
import type { Host } from "./host.ts";
import type { HostEngine } from "./host-engine.ts";
import type { LongResults } from "./long-results.ts";

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
    check: (request, options = {}) => checkAtDoor(door, request, options),
    call: (request, options = {}) => passDoor(door, request, options),
    readResource({ server, uri }, options = {}) {
      const args = uri === undefined ? {} : { uri };
      return passDoor(door, { tool: { server, name: RESOURCES }, arguments: args }, options);
    },
    run: (request, options) => finish(stream(request, options)),
    stream,
    resume: (paused, decision, options = {}) =>
      finish(resumeChain(chain, { paused, decision }, options)),
    async note(text, { from, scope }) {
      if (!door.sources) throw new ToolrailError("invalid-options", NO_SOURCES);
      const note = { scope, server: "", tool: from };
      await door.sources.expect(note);
      await door.sources.keep({ ...note, text });
    },
    keep: async (source, options = {}) => keep?.(source, options) ?? source,
    refresh: lists.refresh,
    close: lists.close,
  };
}

const NO_SOURCES =
  "host.note needs createHost({ sources: trackSources() }); without it notes are not used.";

async function finish(hops: AsyncGenerator<Hop, ChainResult, undefined>): Promise<ChainResult> {
  for (;;) {
    const step = await hops.next();
    if (step.done) return step.value;
  }
}
