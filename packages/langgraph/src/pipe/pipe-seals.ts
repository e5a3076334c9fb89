import { ToolrailError } from "@toolrail/core";
import { isSealOf, sealOf } from "../seal.ts";
import type { NodeContext } from "./pipe-node.ts";
import { itemsAt, type Kept, type PipeState } from "./pipe-state.ts";
import { allSteps, placeItems } from "./place-steps.ts";

/** The state of a pipe in a run, or an update of it. Only a run with a thread has checkpoints, and seals. */
type Sealing = Pick<NodeContext, "pipe" | "state" | "shared" | "config">;

/** The update with a seal on what it keeps: each for its place in this run of this thread. */
export async function sealUpdate(sealing: Sealing): Promise<PipeState> {
  const { run, known } = sealing.shared;
  const sealed: Record<string, unknown> = { ...sealing.state };
  for (const { channel, kept, value } of keptIn(sealing)) {
    const whole = { ...kept, seal: await sealOf(run.host, value) };
    known.add(whole);
    sealed[channel] = whole;
  }
  for (const { channel, ...items } of itemsIn(sealing)) sealed[channel] = await sealUpdate(items);
  return sealed;
}

/** Throws `denied` where a state, that of nested pipes included, is not what this run has kept. */
export async function checkSeals(sealing: Sealing): Promise<void> {
  const { run, known } = sealing.shared;
  for (const { kept, step, value } of keptIn(sealing)) {
    const isKnown = known.has(kept) || (await isSealOf(run.host, { value, seal: kept.seal }));
    if (!isKnown) throw new ToolrailError("denied", FORGED);
    known.add(kept);
    const state = kept.type === "ended" && kept.inner;
    if (step?.kind === "pipe" && state) await checkSeals({ ...sealing, pipe: step.pipe, state });
  }
  for (const items of itemsIn(sealing)) await checkSeals(items);
}

/** The items of lists, sealed as the steps of a pipe are. */
function itemsIn(sealing: Sealing) {
  const { pipe, state } = sealing;
  return allSteps(pipe.steps).flatMap((step) => {
    if (step.kind !== "for_each" || !state[step.items]) return [];
    const own = itemsAt(state, step);
    const last = Math.max(...Object.keys(own).map(Number), -1);
    if (!(last < step.maxItems)) throw new ToolrailError("denied", FORGED);
    const steps = placeItems(step, last + 1);
    return [{ ...sealing, pipe: { ...pipe, steps }, state: own, channel: step.items }];
  });
}

/** What is kept by channel, and what its seal stands for. The steps of a nested pipe have seals of their own. */
function keptIn({ pipe, state, shared, config }: Sealing) {
  const thread: unknown = config.configurable?.thread_id;
  const steps = allSteps(pipe.steps).map((step) => ({ step, ...step }));
  const places = [{ channel: "run", path: "", step: undefined }, ...steps];
  return (thread === undefined ? [] : places).flatMap(({ channel, path, step }) => {
    const kept = state[channel] as Kept | null | undefined;
    const value = [thread, shared.run.pipeId, path, { ...kept, inner: null, seal: null }];
    return kept ? [{ channel, step, kept, value }] : [];
  });
}

const FORGED =
  "The pipe was not continued: its state was changed, or sealed with another secret. Give the hosts of " +
  "all processes the same `secret`, or start a new run.";
