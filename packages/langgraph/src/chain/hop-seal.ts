import type { Host } from "@toolrail/core";
import { type HopTicket, isHopTicket } from "@toolrail/core/adapter";
import { isSealOf, sealOf } from "../seal.ts";

/** A ticket with the host's word that it was decided, on this thread. */
export interface SealedTicket {
  readonly ticket: HopTicket;
  readonly seal: string;
}

/** Seals a ticket for a thread. */
export async function sealTicket(
  host: Host,
  { ticket, thread }: { readonly ticket: HopTicket; readonly thread: unknown },
): Promise<SealedTicket> {
  return { ticket, seal: await sealOf(host, [thread ?? null, ticket]) };
}

/** True for what a host with this secret sealed for this thread. */
export async function isSealed(
  host: Host,
  { ticket, seal, thread }: SealedTicket & { readonly thread: unknown },
): Promise<boolean> {
  return isHopTicket(ticket) && isSealOf(host, { value: [thread ?? null, ticket], seal });
}
