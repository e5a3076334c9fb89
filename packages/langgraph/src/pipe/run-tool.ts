import { resumeToolStep, runToolStep, type ToolTurn } from "@toolrail/core/adapter";
import { askAbout } from "../tools/ask-person.ts";
import type { NodeContext } from "./pipe-node.ts";
import { type Kept, wholeHops } from "./pipe-state.ts";
import type { PlacedStep, PlacedTool } from "./place-steps.ts";

/** A step that is run, or that of an item, what it sees, and how far it has come. */
export interface Turn<Step extends PlacedStep> extends Pick<ToolTurn, "scope" | "isItem"> {
  readonly step: Step;
  readonly kept?: Kept | undefined;
}

/** Runs a tool step. Where a call needs a person its node runs once more, and waits; no call is made again. */
export async function runTool(
  { run, config, shared }: NodeContext,
  { kept, ...turn }: Turn<PlacedTool>,
): Promise<Kept> {
  let stage: Kept;
  if (kept?.type === "waiting") {
    const { startMs, chain } = kept;
    const { reason = NOBODY } = chain.pending ?? {};
    const deny = reason === NOBODY ? NOBODY : `${reason}, and ${NOBODY}`;
    const decision = (await askAbout(run.host, chain.pending)) ?? { deny };
    const whole = { ...chain, hops: wholeHops(shared, chain.hops) };
    stage = await resumeToolStep(run, { ...turn, startMs, chain: whole, decision });
  } else {
    stage = await runToolStep(run, turn);
  }
  config.signal?.throwIfAborted();
  return stage;
}

const NOBODY = "it needs a person's approval, and this graph has no checkpointer to wait with";
