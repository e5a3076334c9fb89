import type { HostParts } from "./passage.ts";

/** Reads the parts of a binding. All are `undefined` for a text that is no binding. */
export function readBinding(binding = "") {
  const parts = /^(.+)\.(\d+)\.(\w{64})\.(\w{64})$/s.exec(binding);
  const [, slot, expiresAtMs, hash, owner] = parts ?? [];
  return { slot, expiresAtMs: Number(expiresAtMs), hash, owner };
}

/** Leaves the time out of a binding, so that it is the same whenever a person is asked about the call. */
export function withoutExpiry(binding: string | undefined): string {
  const { slot, hash, owner } = readBinding(binding);
  return `${slot}.${hash}.${owner}`;
}

/** Reads the user from a context: a text itself, or its `langgraph_auth_user_id`, `userId`, `user` or `user.id`. */
export function readUser(context: unknown): string | undefined {
  if (typeof context === "string") return context;
  const { langgraph_auth_user_id: signedIn, userId, user } = Object(context);
  const named = signedIn ?? userId ?? user;
  const { id = named } = Object(named);
  return ["string", "number", "bigint"].includes(typeof id) ? String(id) : undefined;
}

/** The beginning of the `slot` of an approval that a person gave for a tool, and not for one call of it. */
export const FOR_GOOD = "for-good:";

/** The beginning of the keys of calls that follow from an approved one. */
export const FOLLOWS = "approval:";

/** Builds the key of what follows from an approved call, so that using the approval again makes none of these calls a second time. */
export function keyAfter(
  { key, approved }: { readonly key?: string | undefined; readonly approved?: string | undefined },
  { once }: Pick<HostParts, "once">,
): string | undefined {
  const { slot } = readBinding(approved);
  if (slot === undefined || key?.startsWith(FOLLOWS) || (once && key)) return key;
  return FOLLOWS + (key ?? slot);
}
