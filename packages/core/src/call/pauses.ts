import type { Store } from "../types/store.ts";
import { toConversationKey } from "./memory-store.ts";
import { askStore } from "./store.ts";

interface PauseParts {
  readonly store: Store;
  readonly pendingHopTtlMs: number;
  now(): number;
  newId(): string;
}

/**
 * Keeps what waits for a person, under ids that only their askers know. A pause can be found until it expires, and one caller can
 * take it. `kind` keeps the pauses of features apart. Every function rejects with `callback-failed` if the store fails.
 */
export function createPauses<Pause extends object>(
  { store, pendingHopTtlMs: ttlMs, now, newId }: PauseParts,
  { kind, conversation }: { readonly kind: string; readonly conversation?: string | undefined },
) {
  const keyOf = (id: unknown) => toConversationKey(conversation, `${kind}:${id}`);
  return {
    /** Stores a pause, which must be plain JSON, and returns its id. With an id, it puts a pause back that was taken. */
    async keep(pause: Pause, id = newId()): Promise<string> {
      await askStore(() => store.set(keyOf(id), { pause, expiresAtMs: now() + ttlMs }, ttlMs));
      return id;
    },
    async find(id: unknown): Promise<Pause | undefined> {
      const { pause, expiresAtMs } = Object(await askStore(() => store.get(keyOf(id))));
      return expiresAtMs > now() ? pause : undefined;
    },
    /** Removes a pause. Returns true to the one caller that removed it, who alone may continue it. */
    async take(id: unknown): Promise<boolean> {
      return Boolean(await askStore(() => store.delete(keyOf(id))));
    },
  };
}
