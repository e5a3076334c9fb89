import { canonicalJson, sha256 } from "@toolrail/json";
import { toConversationKey } from "../call/memory-store.ts";
import { askStore } from "../call/store.ts";
import type { CallOptions, CheckedCall } from "../types/call-options.ts";
import type { ChangeOptions } from "../types/listeners.ts";
import type { ToolCall } from "../types/tool-call.ts";
import type { Host } from "./host.ts";
import { engineOf } from "./host-engine.ts";

/** A tool call of a framework that asks about approval first and runs the tool later. */
export interface FrameworkCall {
  /** An object that only the calls of one step or run share, since models repeat ids from run to run. */
  readonly run: object;
  readonly toolCallId: string;
  readonly request: Pick<ToolCall, "tool" | "arguments">;
  /** The conversation and the caller. In another conversation, the same id means another call. */
  readonly options: Pick<CallOptions, "conversation" | "context">;
}

/**
 * Keeps the answer of `host.check` from the request for approval until the tool runs, so that `authorize` is asked once. Unused
 * answers are dropped with their `run`. If a run has more than 1,000 calls, the oldest are checked again. Requests for
 * approval are kept in the store of the host, since the answer may arrive in another process.
 */
export function rememberChecks(host: Host) {
  const { store, pendingHopTtlMs, bindingOf } = engineOf(host);
  const runs = new WeakMap<object, Map<string, CheckedCall>>();
  return {
    /** Keeps the answer for this call. If a person is asked, now or by the framework itself (`isAsked`), the binding of their approval is stored. */
    async keep(
      call: FrameworkCall,
      checked: CheckedCall,
      { isAsked = checked.type === "ask" }: { readonly isAsked?: boolean } = {},
    ): Promise<void> {
      const key = keyOf(call);
      if (key === undefined) return;
      if (isAsked && checked.type !== "refuse") {
        const binding = checked.type === "ask" ? checked.binding : bindingOf(checked.call);
        const [askedKey, asked] = await Promise.all([storeKey(call, key), binding]);
        // If the store fails, nothing is kept: the call is then asked about again.
        await askStore(() => store.set(askedKey, asked, pendingHopTtlMs)).catch(() => {});
        return;
      }
      const kept = runs.get(call.run) ?? new Map<string, CheckedCall>();
      runs.set(call.run, kept.set(key, checked));
      const [oldest] = kept.keys();
      if (kept.size > MAX_PER_RUN && oldest !== undefined) kept.delete(oldest);
    },
    /** Takes a checked call out, once. Returns `undefined` if there is none, or if the call has changed since. */
    take(call: FrameworkCall): CheckedCall | undefined {
      const kept = runs.get(call.run);
      if (!kept) return undefined;
      const key = keyOf(call) ?? "";
      const checked = kept.get(key);
      kept.delete(key);
      return checked;
    },
    /** Returns the options of an approved call. Unless the tool is approved for good, a host with this store must have asked about this very call. */
    async approvalOf(
      call: FrameworkCall,
      { changes, isForGood = false }: ChangeOptions & { readonly isForGood?: boolean } = {},
    ): Promise<Pick<CallOptions, "approved" | "changes">> {
      const { toolCallId, request, options } = call;
      const askedKey = await storeKey(call, keyOf(call) ?? "");
      const kept = await askStore(() => store.get(askedKey)).catch(() => {});
      let approved = typeof kept === "string" ? kept : undefined;
      if (isForGood) approved ??= await bindingOf({ ...request, ...options }, { isForGood });
      return { approved, changes: changes?.({ toolCallId, ...request }) };
    },
  };
}

const MAX_PER_RUN = 1_000;

/** Builds a key of id, tool and arguments: a call that was changed on the way is another call. */
function keyOf({ toolCallId, request }: FrameworkCall): string | undefined {
  try {
    return canonicalJson([toolCallId, request.tool.id, request.arguments]);
  } catch {
    return undefined; // The arguments are not JSON. The host refuses them before it asks anyone.
  }
}

async function storeKey({ options }: FrameworkCall, key: string): Promise<string> {
  return toConversationKey(options.conversation, `asked:${await sha256(key)}`);
}
