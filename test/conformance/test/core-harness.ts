import type { ChainInput, ChainOutcome, Harness, PipeOutcome } from "@toolrail/conformance";
import { type ChainResult, type Decision, type Hop, modelView } from "@toolrail/core";
import { toModelParts } from "@toolrail/core/adapter";
import {
  createSingleStep,
  type GuardOutcome,
  outcomeText,
  outcomeView,
} from "@toolrail/core/guard";
import type { JsonObject } from "@toolrail/core/json";
import { type PipeResult, resumePipe, runPipe } from "@toolrail/core/pipe";
import { isWaiting } from "../../../packages/core/src/chain/next-hop.ts";

const NO_MESSAGES = "The core keeps no messages.";
const NO_MODEL = "The core asks no model.";
const APART = "Another function does that, and has a harness of its own.";

/** `host.run` alone: no framework, and no model. */
export const chains = {
  name: "core: host.run",
  exempt: {
    pipe: APART,
    guard: APART,
    "chain/edited": NO_MESSAGES,
    "chain/forged": NO_MESSAGES,
    "view/unheard": "The application itself shows what it gets.",
  },
  async chain({ host, tool, arguments: args = {}, signal, conversation }) {
    const told: Hop[] = [];
    const onHop = (hop: Hop) => void told.push(hop);
    const options = { signal, conversation, origin: { by: "model" }, onHop } as const;
    const chain = await host.run({ tool, arguments: args }, options);
    return toOutcome(host, await host.keep(chain, { conversation }), told);
  },
} satisfies Harness;

function toOutcome(
  host: ChainInput["host"],
  chain: ChainResult,
  told: readonly Hop[],
): ChainOutcome {
  const { content, isError } = modelView(chain, { tools: host.tools });
  return {
    hops: chain.hops,
    ended: chain.ended,
    told,
    modelRead: toModelParts(content).map((part) =>
      part.type === "text" ? part : { type: "media", mediaType: part.mimeType },
    ),
    isError,
    modelCalls: 0,
    ...(isWaiting(chain) && {
      resume: async (decision) => toOutcome(host, await host.resume(chain, decision), told),
    }),
  };
}

/** `runPipe` alone: no framework, and no model. */
export const pipes = {
  name: "core: runPipe",
  exempt: {
    chain: APART,
    guard: APART,
    "pipe/model-hidden": NO_MODEL,
    "pipe/model-shown": NO_MODEL,
    "pipe/small-reply": NO_MODEL,
    "pipe/changes-read": NO_MODEL,
  },
  async pipe({ host, spec, signal, conversation, pauses }) {
    return toPipeOutcome(host, await runPipe(host, { spec, signal, conversation, pauses }));
  },
} satisfies Harness;

function toPipeOutcome(host: ChainInput["host"], result: PipeResult): PipeOutcome {
  const { paused } = result;
  if (!paused) return { result: { ...result } as JsonObject };
  const resume = async (decision: Decision) => {
    const answers = Object.fromEntries(paused.asks.map(({ path }) => [path, decision]));
    return toPipeOutcome(host, await resumePipe(host, { paused, answers }));
  };
  return { result: { ...result } as JsonObject, resume };
}

/** `createSingleStep` alone: the calls of a turn are made at once, and no model is asked. */
export const guarded = {
  name: "core: createSingleStep",
  exempt: { chain: APART, pipe: APART },
  async guard({ host, allow, turns, decision, conversation }) {
    const query = createSingleStep(host, { allow: allow as never }).startQuery();
    const outcomes: GuardOutcome[] = [];
    for (const turn of turns) {
      const made = await Promise.all(turn.map((request) => query.call(request, { conversation })));
      for (const outcome of made) {
        const isAsked = outcome.verdict === "ask" && decision !== undefined;
        outcomes.push(isAsked ? await query.resume(decision) : outcome);
      }
    }
    const told = outcomes.find(({ code }) => code !== "step-used");
    return {
      outcomes: outcomes.filter((outcome) => outcome === told || outcome.code !== "step-used"),
      modelRead: outcomes.map((outcome) => JSON.stringify(outcomeView(outcome))).join("\n"),
      reply: told ? outcomeText(told) : "",
    };
  },
} satisfies Harness;
