import { Annotation, UntrackedValueChannel } from "@langchain/langgraph";
import type { JsonObject } from "@toolrail/core";
import type { PipeResult } from "@toolrail/core/pipe";
import type { PipeState } from "./pipe-state.ts";
import { allSteps, channelsOf, type PlacedPipe } from "./place-steps.ts";

/** The output of the contract. What follows from the channels of the steps is in no checkpoint. */
export const Output = Annotation.Root({
  ok: Annotation<boolean>,
  error: Annotation<string>,
  result: new UntrackedValueChannel<unknown>({ guard: false }),
  result_for_model: new UntrackedValueChannel<unknown>({ guard: false }),
  steps: new UntrackedValueChannel<PipeResult["steps"]>({ guard: false }),
});
/** What a pipe's graph takes. */
export const Input = Annotation.Root({ vars: Annotation<JsonObject | null | undefined> });
/** What it holds, but for the channels of its steps and of the run. */
export const State = Annotation.Root({ ...Input.spec, ...Output.spec });

/** The channels of the steps of one graph. */
export function toChannels({ steps }: PlacedPipe) {
  const lists = allSteps(steps).map((step) => step.kind === "for_each" && step.items);
  const channels = channelsOf(steps).map((channel) => {
    return [channel, lists.includes(channel) ? Items() : Annotation<unknown>];
  });
  return Object.fromEntries(channels) as Record<string, typeof Annotation<unknown>>;
}

/** How far the items of a list have come. Each writes its own; a new run clears all. */
function Items() {
  return Annotation<PipeState>({
    reducer: (before, update) => (update === null ? {} : { ...before, ...update }),
    default: () => ({}),
  });
}
