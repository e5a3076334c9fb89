import { createSingleStep, type GuardOutcome, outcomeText, outcomeView } from "@toolrail/core";
import type { Harness } from "../harness.ts";

/** `createSingleStep` alone: the calls of a turn are made at once, and no model is asked. */
export const harness: Harness = {
  name: "core: createSingleStep",
  async guard({ host, allow, turns, decision }) {
    const query = createSingleStep(host, { allow: allow as never }).startQuery();
    const outcomes: GuardOutcome[] = [];
    for (const turn of turns) {
      const made = await Promise.all(turn.map((request) => query.call(request)));
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
};
