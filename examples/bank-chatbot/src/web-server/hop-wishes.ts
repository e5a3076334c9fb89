import type { Hop } from "@toolrail/core";
import { toControl } from "./controls.ts";
import { readResultMeta } from "./result-meta.ts";
import type { Turn } from "./turn.ts";

/** Does what a result asks of the application: a control, a hand-over, an end, new tools. */
export function fulfilWishes(turn: Turn, threadId: string, hop: Hop): void {
  const { state, bank, log, recorder, onProblem } = turn;
  const host = bank.host();
  const { widget, handoff, endsInteraction, refreshThread } = readResultMeta(hop.result._meta);
  // A hint for another conversation is none of this one's business.
  if (refreshThread === threadId) state.refreshing = host?.refresh().catch(onProblem);
  if (handoff) {
    state.handoff = { text: handoff.agent_available ?? "A person of the bank has taken over." };
  }
  if (endsInteraction) state.isEnded = true;
  const control = host && widget && toControl(host, hop, widget);
  if (!control) return;
  const id = crypto.randomUUID();
  recorder.showUnsaid();
  log.put("control", id, control.view);
  state.controls.add(log.message, id, control.view, control);
  turn.opened += 1;
}
