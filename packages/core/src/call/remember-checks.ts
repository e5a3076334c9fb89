import { canonicalJson, sha256 } from "@toolrail/json";
import type { CallOptions, CallRequest, CheckedCall } from "../types/call-options.ts";
import type { Store } from "../types/store.ts";
import { toolText } from "../types/tool.ts";
import type { ToolCall } from "../types/tool-call.ts";
import { toConversationKey } from "./memory-store.ts";
import { askStore } from "./store.ts";

/** A tool call of a framework that asks about approval first and runs the tool later. */
export interface FrameworkCall {
  /** An object that only the calls of one step or run share, since models repeat ids from run to run. */
  readonly run: object;
  readonly toolCallId: string;
  readonly request: CallRequest;
  /** The conversation: in another the same id is another call. */
  readonly options: Pick<CallOptions, "conversation">;
}

interface CheckParts {
  readonly store: Store;
  readonly pendingHopTtlMs: number;
  /** The text that a person's approval of this call is bound to. */
  bindingOf(call: ToolCall): Promise<string>;
}

/** What `rememberChecks` makes. */
export type RememberedChecks = ReturnType<typeof rememberChecks>;

/**
 * Carries what `host.check` said from the question about approval to the run of the tool, so that `authorize` is
 * asked once. What is not taken goes with its `run`; beyond `maxPerRun` calls of one run the oldest are checked
 * afresh. What a person was asked is kept in the store of the host: the answer may come in another process.
 */
export function rememberChecks(
  { store, pendingHopTtlMs, bindingOf }: CheckParts,
  maxPerRun = 1000,
) {
  const runs = new WeakMap<object, Map<string, CheckedCall>>();
  return {
    /**
     * Keeps what was said of this call. Where a person is asked, now or by the framework itself (`isAsked`), what
     * their yes is bound to goes to the store.
     */
    async keep(
      call: FrameworkCall,
      checked: CheckedCall,
      { isAsked = checked.type === "ask" }: { readonly isAsked?: boolean } = {},
    ): Promise<void> {
      const key = keyOf(call);
      if (key === undefined) return;
      if (isAsked && checked.type !== "refuse") {
        const binding = checked.type === "ask" ? checked.binding : bindingOf(checked.call);
        const [at, asked] = await Promise.all([storeKey(call, key), binding]);
        // A store that fails has kept nothing: the call is then asked about again.
        await askStore(() => store.set(at, asked, pendingHopTtlMs)).catch(() => {});
        return;
      }
      const kept = runs.get(call.run) ?? new Map<string, CheckedCall>();
      runs.set(call.run, kept.set(key, checked));
      const [oldest] = kept.keys();
      if (kept.size > maxPerRun && oldest !== undefined) kept.delete(oldest);
    },
    /** Takes a checked call out, once; `undefined` if there is none, or if the call has changed since. */
    take(call: FrameworkCall): CheckedCall | undefined {
      const kept = runs.get(call.run);
      if (!kept) return undefined;
      const key = keyOf(call) ?? "";
      const checked = kept.get(key);
      kept.delete(key);
      return checked;
    },
    /** What the yes to this very call is bound to; `undefined` where no host with this store asked about it. */
    async approvalOf(call: FrameworkCall): Promise<string | undefined> {
      const at = await storeKey(call, keyOf(call) ?? "");
      const binding = await askStore(() => store.get(at)).catch(() => {});
      return typeof binding === "string" ? binding : undefined;
    },
  };
}

/** An id, a tool and arguments: a call that was changed on the way is another call. */
function keyOf({ toolCallId, request }: FrameworkCall): string | undefined {
  try {
    return canonicalJson([toolCallId, toolText(request.tool), request.arguments ?? {}]);
  } catch {
    return undefined; // Arguments that are not JSON: the host refuses them before it asks anybody.
  }
}

async function storeKey({ options }: FrameworkCall, key: string): Promise<string> {
  return toConversationKey(options.conversation, `asked:${await sha256(key)}`);
}
