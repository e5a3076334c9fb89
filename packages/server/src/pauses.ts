import { type HostEngine, inputRequestsOf } from "@toolrail/core/internal";
import { askStore } from "@toolrail/core/plugin";
import type { JsonObject } from "@toolrail/json";
import type { Waiting } from "./offer.ts";

/** A call that waits, as the store of the host keeps it: its client is given an id alone. */
interface Pause extends Waiting {
  readonly tool: string;
  readonly conversation: string;
}

/** Asks the user of a client about the calls that wait (MCP 2026-07-28). */
export function toInputRequired({ asks }: Waiting, requestState: string): JsonObject {
  return { resultType: "input_required", inputRequests: inputRequestsOf(asks), requestState };
}

/** Keeps a pause, and returns its id. */
export async function keepPause(
  { store, newId, pendingHopTtlMs }: HostEngine,
  pause: Pause,
): Promise<string> {
  const id = newId();
  await askStore(() => store.set(keyOf(id), pause, pendingHopTtlMs));
  return id;
}

/**
 * Finds a pause by the id that its client alone was given. `undefined` for anything that was not kept for this tool, and for
 * this conversation if the transport or the application states one.
 */
export async function findPause(
  { store }: HostEngine,
  given: {
    readonly id: unknown;
    readonly tool: string;
    readonly stated: string | undefined;
  },
): Promise<Pause | undefined> {
  const { id, tool, stated } = given;
  const kept = (await askStore(() => store.get(keyOf(id)))) as Pause | undefined;
  const isMeant = kept?.tool === tool && (stated === undefined || stated === kept.conversation);
  return isMeant ? kept : undefined;
}

/** Takes a pause out of the store. False if another request has taken it: it is answered once. */
export async function dropPause({ store }: HostEngine, id: unknown): Promise<boolean> {
  return Boolean(await askStore(() => store.delete(keyOf(id))));
}

const keyOf = (id: unknown) => `served:${id}`;
