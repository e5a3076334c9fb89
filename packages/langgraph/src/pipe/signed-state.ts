import type { LangGraphRunnableConfig } from "@langchain/langgraph";
import { type Hop, ToolrailError } from "@toolrail/core";
import type { ShortHop } from "@toolrail/core/plugin";
import { engineOf } from "@toolrail/core/plugin";
import { readConversation } from "../tools/call-config.ts";
import { isSignedBy, sign } from "../tools/signature.ts";
import type { Reading, SharedRun } from "./pipe-engine.ts";
import type { PipeState, StoredStep } from "./pipe-state.ts";
import { allSteps, type PlacedPart, type PlacedPipe } from "./place-steps.ts";

/** The state of a pipe in a run, or an update of it. Only a run with a thread has checkpoints, and signatures. */
interface Signing extends Pick<Reading, "pipe" | "state" | "shared"> {
  readonly config: LangGraphRunnableConfig;
}

/** Signs each stored entry of an update. A signature is valid only for its path in this run of this thread. */
export async function signUpdate(signing: Signing): Promise<PipeState> {
  const { run, known } = signing.shared;
  const signed: Record<string, unknown> = { ...signing.state };
  for (const { channel, stored, toValue } of listStored(signing)) {
    const short = await toShort(stored, signing);
    const whole = { ...short, mac: await sign(run.host, toValue(short)) };
    known.add(whole);
    signed[channel] = whole;
  }
  return signed;
}

/** Checks the signatures of a state and reads its results from the store. Throws `denied` if this run did not write it. */
export async function openState(signing: Signing): Promise<void> {
  const { run, known } = signing.shared;
  const all = listStored(signing);
  for (const { stored, nested, toValue } of all) {
    const value = toValue(stored);
    const isKnown =
      known.has(stored) || (await isSignedBy(run.host, { value, signature: stored.mac }));
    if (!isKnown) throw new ToolrailError("denied", FORGED);
    known.add(stored);
    const state = stored.type === "ended" && stored.inner;
    if (nested && state) await openState({ ...signing, pipe: nested, state });
  }
  await Promise.all(all.map(({ stored }) => readRows(stored, signing)));
}

/**
 * Lists the stored entries of a state with the values that are signed. Steps of a nested pipe have their own
 * signatures. The signature of the pipe covers only whether there are any.
 */
function listStored({ pipe, state, shared, config }: Signing) {
  const thread: unknown = config.configurable?.thread_id;
  if (thread === undefined) return [];
  const places: readonly (Pick<PlacedPart, "channel" | "path"> & { readonly pipe?: PlacedPipe })[] =
    [{ channel: "run", path: `${pipe.path}#` }, ...allSteps(pipe.steps)];
  return places.flatMap(({ channel, path, pipe: nested }) => {
    const stored = state[channel] as StoredStep | null | undefined;
    const toValue = (entry: StoredStep) => {
      const inner = "inner" in entry && entry.inner !== null && entry.inner !== undefined;
      return [thread, shared.run.pipeId, path, { ...entry, inner, mac: null }];
    };
    return stored ? [{ channel, nested, stored, toValue }] : [];
  });
}

/** Shortens the hops of an entry for a checkpoint: no errors, and a raw result once. Long results go into the store. */
async function toShort(stored: StoredStep, { shared, config }: Signing): Promise<StoredStep> {
  const { hopRows } = engineOf(shared.run.host).services;
  const conversation = readConversation(config);
  return mapHops(stored, async (whole) => {
    const hop = toStoredHop(whole);
    if (!hopRows || conversation === undefined) return hop;
    const short = await hopRows.put(hop, conversation);
    if (short !== hop) shared.whole.set(short, hop);
    return short;
  });
}

/** Reads the results of an entry from the store, once in a run. Rejects with `reference-lost`, or if the store fails. */
async function readRows(stored: StoredStep, { shared }: Signing): Promise<void> {
  await mapHops(stored, async (hop) => {
    if (!hop.rows || shared.whole.has(hop)) return hop;
    const { hopRows } = engineOf(shared.run.host).services;
    if (!hopRows) throw new ToolrailError("reference-lost", NO_ROWS);
    shared.whole.set(hop, await hopRows.take(hop));
    return hop;
  });
}

const NO_ROWS =
  "The pipe was not continued: its results are in the store of another host. Give this host `references()` and the same `store`.";

async function mapHops(
  stored: StoredStep,
  map: (hop: ShortHop) => Promise<Hop>,
): Promise<StoredStep> {
  const all = (hops: readonly Hop[]) => Promise.all(hops.map(map));
  if (stored.type === "ended" && stored.hops) return { ...stored, hops: await all(stored.hops) };
  if (stored.type !== "waiting") return stored;
  const { error: _, ...chain } = stored.chain; // The pending call has the reason.
  return { ...stored, chain: { ...chain, hops: await all(chain.hops) } };
}

/** Removes from a hop all that follows from its raw result and its run. */
function toStoredHop({ runId: _, origin, output, ...hop }: Hop): Hop {
  const { pipeId: __, ...from } = { pipeId: "", ...origin };
  const isRaw = output.status === "valid" && output.value === hop.result.structuredContent;
  return { ...hop, origin: from, output: isRaw ? { status: "valid" } : output } as Hop;
}

/** Restores hops from their stored form. Results in the store must have been read before. */
export function wholeHops({ whole, run }: SharedRun, stored: readonly Hop[]): Hop[] {
  return stored.map((short) => {
    const hop = whole.get(short) ?? short;
    const { origin, output, result } = hop;
    const isRaw = output.status === "valid" && !("value" in output);
    return {
      ...hop,
      runId: run.pipeId,
      origin: origin.by === "pipe" ? { ...origin, pipeId: run.pipeId } : origin,
      output: isRaw ? { status: "valid", value: result.structuredContent } : output,
    };
  });
}

const FORGED =
  "The pipe was not continued: its state was changed, or signed with another secret. Give the hosts of " +
  "all processes the same `secret`, or start a new run.";
