import type { Host } from "@toolrail/core";
import { canonicalJson, engineOf, type HopTicket, isHopTicket } from "@toolrail/core/adapter";

/** A ticket with the host's word that it was decided, on this thread. */
export interface SealedTicket {
  readonly ticket: HopTicket;
  /** HMAC-SHA-256 in hex. */
  readonly seal: string;
}

/** Seals a ticket for a thread: clients of a LangGraph server may write to any channel. */
export async function sealTicket(
  host: Host,
  { ticket, thread }: { readonly ticket: HopTicket; readonly thread: unknown },
): Promise<SealedTicket> {
  const bytes = await crypto.subtle.sign("HMAC", await keyOf(host), toBytes(thread, ticket));
  const seal = Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, "0"));
  return { ticket, seal: seal.join("") };
}

/** True for what a host with this secret sealed for this thread. */
export async function isSealed(
  host: Host,
  { ticket, seal, thread }: SealedTicket & { readonly thread: unknown },
): Promise<boolean> {
  if (!isHopTicket(ticket) || typeof seal !== "string") return false;
  const bytes = Uint8Array.from(seal.match(/../g) ?? [], (hex) => Number.parseInt(hex, 16));
  return crypto.subtle.verify("HMAC", await keyOf(host), bytes, toBytes(thread, ticket));
}

function toBytes(thread: unknown, ticket: HopTicket): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(canonicalJson([thread ?? null, ticket]));
}

function keyOf(host: Host): Promise<CryptoKey> {
  const secret = new TextEncoder().encode(engineOf(host).secret);
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  return crypto.subtle.importKey("raw", secret, algorithm, false, ["sign", "verify"]);
}
