import type { HopTicket } from "./hop-ticket.ts";

/**
 * Keeps the tickets of hops that are decided and not yet made, by their ids. A `Map` is one; one that
 * several processes share lets a chain go on in another process than it began in.
 */
export interface ChainStore {
  /** The ticket, or `undefined`. May be a promise. */
  get(id: string): unknown;
  /** May forget the ticket after `ttlMs`. May be a promise. */
  set(id: string, ticket: HopTicket, options: { readonly ttlMs: number }): unknown;
  /** True for the one caller that removed the ticket: this is what makes a hop run only once. */
  delete(id: string): boolean | PromiseLike<boolean>;
}

/** A store in memory that forgets what has expired, and the oldest where it is full. */
export function createMemoryStore(maxEntries: number, now: () => number): ChainStore {
  const tickets = new Map<string, HopTicket>();
  return {
    get: (id) => tickets.get(id),
    set(id, ticket) {
      tickets.set(id, ticket);
      for (const [oldest, { expiresAtMs }] of tickets) {
        if (tickets.size <= maxEntries && expiresAtMs > now()) break;
        tickets.delete(oldest);
      }
    },
    delete: (id) => tickets.delete(id),
  };
}
