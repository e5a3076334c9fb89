import type { CallConfig } from "./call-config.ts";

/**
 * The `configurable` for a nested graph that one call of a turn has to itself. LangGraph numbers the
 * nested graphs of a task in the order in which they start, which may be another one after a pause: a
 * call would then find the checkpoints, and the approval, of another. So the namespace is made of
 * `place`, a text that no other call of the turn has, and no number.
 */
export async function toOwnNamespace(
  { configurable = {} }: CallConfig,
  place: string,
): Promise<Record<string, unknown>> {
  // A nested graph that finds this key takes its finished tasks for unfinished ones.
  const { checkpoint_id: _, checkpoint_ns: ns, __pregel_scratchpad: pad, ...rest } = configurable;
  if (typeof ns !== "string" || typeof pad !== "object" || pad === null) return rest;
  const bytes = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(place));
  const name = [...new Uint8Array(bytes)]
    .map((byte) => byte.toString(16).padStart(2, "0"))
    .join("");
  return {
    ...rest,
    checkpoint_ns: `${ns}|toolrail:${name}`,
    __pregel_scratchpad: Object.create(pad, { subgraphCounter: { value: 0, writable: true } }),
  };
}
