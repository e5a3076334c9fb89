import { canonicalJson } from "../json.ts";
import type { Admission } from "./admission.ts";
import type { CallRequest } from "./call-request.ts";
import { toolText } from "./tool.ts";

/** A tool call of a framework that asks about approval first and runs the tool later. */
export interface FrameworkCall {
  /** An object that only the calls of one step or run share, since models repeat ids from run to run. */
  readonly run: object;
  readonly toolCallId: string;
  readonly request: CallRequest;
}

/** Carries what `host.check` said from the question about approval to the run of the tool. */
export interface RememberedAdmissions {
  /** Keeps what was said of this call; an `ask` is not kept, since a person comes between. */
  keep(call: FrameworkCall, admission: Admission): void;
  /** Takes it out, once; `undefined` where there is none, or where the call has changed since. */
  take(call: FrameworkCall): Admission | undefined;
}

/**
 * A memory of admissions, so that `authorize` is asked once for a call that needs no person. What is not
 * taken goes with its `run`; beyond `maxPerRun` calls of one run the oldest are forgotten and checked afresh.
 */
export function rememberAdmissions(maxPerRun = 1000): RememberedAdmissions {
  const runs = new WeakMap<object, Map<string, Admission>>();
  return {
    keep(call, admission) {
      const key = keyOf(call);
      if (admission.type === "ask" || key === undefined) return;
      const kept = runs.get(call.run) ?? new Map<string, Admission>();
      runs.set(call.run, kept.set(key, admission));
      const [oldest] = kept.keys();
      if (kept.size > maxPerRun && oldest !== undefined) kept.delete(oldest);
    },
    take(call) {
      const kept = runs.get(call.run);
      const key = keyOf(call) ?? "";
      const admission = kept?.get(key);
      kept?.delete(key);
      return admission;
    },
  };
}

/** An id, a tool and arguments: a call that was changed on the way is another call. */
function keyOf({ toolCallId, request }: FrameworkCall): string | undefined {
  try {
    return canonicalJson([toolCallId, toolText(request.tool), request.arguments ?? {}]);
  } catch {
    return undefined; // Arguments that are not JSON: the door refuses them before it asks anybody.
  }
}
