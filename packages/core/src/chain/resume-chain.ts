import { recordDenial } from "../call/once.ts";
import { ToolrailError, toToolrailError } from "../errors.ts";
import { isJsonObject } from "../json/json.ts";
import { quoted } from "../json/plain-text.ts";
import type { ChainResult, Decision, PendingCall } from "../result/chain-result.ts";
import { isCall, isHop, toRef } from "../result/hop.ts";
import type { CallOptions } from "../types/call-options.ts";
import { toolId } from "../types/tool.ts";
import { callText, toRequest } from "./call-text.ts";
import { endByError } from "./chain-end.ts";
import { type ChainParts, type OnHop, runChain } from "./run-chain.ts";

interface Resumed {
  readonly paused: ChainResult;
  readonly decision: Decision;
  readonly onHop?: OnHop | undefined;
}

/** Makes the call that a chain waits for, as a person has decided, and continues the chain. Rejects with `invalid-options` if it cannot be resumed so. */
export async function resumeChain(
  parts: ChainParts,
  { paused, decision, onHop }: Resumed,
  options: CallOptions,
): Promise<ChainResult> {
  const defect = pausedDefect(paused, decision);
  if (defect !== undefined) throw new ToolrailError("invalid-options", defect);
  const { runId, hops, pending } = paused as ChainResult & { readonly pending: PendingCall };
  const id = toolId(toRef(pending));
  const stated = statedBefore(pending, options);
  const finish = (error: ToolrailError): ChainResult => {
    const end = { runId, ended: endByError(error), error };
    parts.onEnd({ ...end, hops: hops.length });
    return { ...end, hops, pending };
  };
  const refuse = (why: string) => finish(new ToolrailError("denied", `${id} was not ${why}`));
  if (decision !== "approve" && "deny" in decision) {
    try {
      const by = { ...stated, tool: { id } };
      if (!(await recordDenial(parts.host, pending.binding ?? "", by))) return refuse(TOO_LATE);
    } catch (cause) {
      return finish(toToolrailError(cause, "The denial was not recorded"));
    }
    return refuse(`approved: ${decision.deny}`);
  }
  let { origin } = pending;
  const last = hops.at(-1);
  if (last) {
    // The pause may have been long, and others may have changed the stored chain.
    const next = await parts.nextHop(last, hops.slice(0, -1).map(callText), stated);
    if (next.type === "end" && next.error) return finish(next.error);
    if (next.type === "end" || callText(next.call) !== callText(pending)) {
      return refuse("called: the last result of the chain asks for another call.");
    }
    origin = next.call.origin;
  }
  const changes = decision === "approve" ? undefined : decision.approve.arguments;
  const how = { ...stated, origin, approved: pending.binding, changes };
  return runChain(parts, { request: toRequest(pending), runId, before: hops, onHop }, how);
}

const TOO_LATE = "denied: a person had approved it before, so it was called, or is being called.";

/** Returns the options of a resumed chain. Its first options may be left out, and must not change. */
function statedBefore({ key, conversation }: PendingCall, options: CallOptions): CallOptions {
  if (options.conversation !== undefined && options.conversation !== conversation)
    throw begunWith("conversation", conversation);
  if (options.key !== undefined && options.key !== key) throw begunWith("key", key);
  return { ...options, conversation, key };
}

function begunWith(name: string, value: string | undefined): ToolrailError {
  const begun = value === undefined ? `without a \`${name}\`` : `with another \`${name}\``;
  const message = `This chain was begun ${begun}: leave \`${name}\` out when you resume it.`;
  return new ToolrailError("invalid-options", message);
}

/** Returns why a stored chain cannot continue with this decision, or `undefined` if it can. A hop without an earlier result can only be denied. */
export function pausedDefect(chain: unknown, decision: unknown): string | undefined {
  if (!isJsonObject(chain)) return `${ONLY}; this is not a chain.`;
  const { runId, ended, hops, pending } = chain;
  if (ended !== "needs-approval") {
    return `${ONLY}; this one is ${typeof ended === "string" ? quoted(ended) : "of an unknown kind"}.`;
  }
  const given = isJsonObject(decision) ? decision : {};
  const change = isJsonObject(given.approve) && given.deny === undefined ? given.approve : {};
  const continues = decision === "approve" || isJsonObject(change.arguments);
  if (!continues && typeof given.deny !== "string") return DECISION;
  if (typeof runId !== "string") return broken("its runId is not a string");
  if (!Array.isArray(hops) || !hops.every(isHop)) return broken("its hops are not a list of hops");
  if (!isCall(pending)) return broken("its pending call is invalid");
  if (typeof pending.binding !== "string") return broken("its pending call has no binding");
  if (continues && hops.length === 0 && pending.origin.by === "chain") {
    return broken("its pending call follows from a result, but there is no result");
  }
  return undefined;
}

const ONLY = "Only a chain that ended with needs-approval can be resumed";
const DECISION =
  'A decision on a pending call must be "approve", { approve: { arguments } } or { deny: reason }.';

function broken(why: string): string {
  return `This chain cannot be resumed: ${why}. Keep what \`host.run\` returned unchanged, as JSON.`;
}
