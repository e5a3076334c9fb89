import type { Host } from "@toolrail/core";
import { engineOf } from "@toolrail/core/plugin";
import { canonicalJson } from "@toolrail/json";

/** Signs a value with the host's secret (HMAC-SHA-256, hex): clients of a LangGraph server may write to any channel. */
export async function sign(host: Host, value: unknown): Promise<string> {
  const bytes = await crypto.subtle.sign("HMAC", await importSecret(host), toBytes(value));
  return Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

export async function isSignedBy(
  host: Host,
  { value, signature }: { readonly value: unknown; readonly signature: unknown },
): Promise<boolean> {
  if (typeof signature !== "string") return false;
  const bytes = Uint8Array.from(signature.match(/../g) ?? [], (hex) => Number.parseInt(hex, 16));
  return crypto.subtle.verify("HMAC", await importSecret(host), bytes, toBytes(value));
}

function toBytes(value: unknown): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(canonicalJson(value));
}

const secrets = new WeakMap<Host, Promise<CryptoKey>>();

/** Imports the secret of a host, once: this takes twice as long as a signature. */
function importSecret(host: Host): Promise<CryptoKey> {
  const known = secrets.get(host);
  if (known !== undefined) return known;
  const secret = new TextEncoder().encode(engineOf(host).secret);
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const key = crypto.subtle.importKey("raw", secret, algorithm, false, ["sign", "verify"]);
  secrets.set(host, key);
  return key;
}
