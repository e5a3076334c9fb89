import type { Host, HostEvent } from "@toolrail/core";
import type { EntryOf, HopView } from "./conversation-view.ts";

export interface HopContext {
  readonly host: Host;
  /** The origin of calls that no model asked for. */
  readonly asker: "customer" | "application";
}

/** Converts an event of the host to an entry for the customer. Returns `undefined` if it is not shown. */
export function toHopEntry(
  event: HostEvent,
  { host, asker }: HopContext,
): EntryOf<"hop"> | undefined {
  const state = toState(event);
  if (event.type !== "call" || !state) return undefined;
  const { callId: id, tool, origin, elapsedMs: durationMs } = event;
  const title = host.tools.find((one) => one.id === tool)?.title ?? tool;
  const by = origin.by === "application" ? asker : origin.by;
  const hop = { type: "hop", id, tool, title, by, state } as const;
  return state === "running" ? hop : { ...hop, durationMs };
}

function toState(event: HostEvent): HopView["state"] | undefined {
  if (event.type !== "call") return undefined;
  const { stage, outcome, isError, code } = event;
  if (outcome === "failed") return "error";
  if (outcome === "refused") return code === "needs-approval" ? undefined : "refused";
  if (stage === "authorize") return "running";
  return stage === "record" ? (isError ? "error" : "done") : undefined;
}
