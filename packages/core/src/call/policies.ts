import { ToolrailError } from "../errors.ts";
import { isJsonObject } from "../json/json.ts";
import { throwIfAborted } from "./call-error.ts";
import type { Policy, ToolCall } from "./call-options.ts";
import type { HostParts } from "./host-parts.ts";
import type { Tool } from "./tool.ts";
import { untilAborted } from "./until-aborted.ts";

/**
 * Asks the policies, which are pure and may be asked twice about one call. Rejects with `denied` if one neither allows the call nor
 * leaves it to a person. Without `authorize`, a person also decides about destructive tools that no application calls.
 */
export async function askPolicies(
  { policies, asksIfDestructive }: Pick<HostParts, "policies" | "asksIfDestructive">,
  call: ToolCall,
): Promise<"allow" | "ask" | { readonly ask: string }> {
  const reasons: string[] = [];
  let decision: "allow" | "ask" = "allow";
  for (const policy of policies) {
    const answer = await askPolicy(policy, call);
    if (answer === "allow") continue;
    decision = "ask";
    if (answer !== "ask") reasons.push(answer.ask);
  }
  call.signal?.throwIfAborted();
  const asksByDefault =
    asksIfDestructive && call.origin.by !== "application" && isDestructive(call.tool);
  if (asksByDefault && reasons.length === 0) reasons.push(DESTRUCTIVE);
  return reasons.length > 0 ? { ask: reasons.join("; ") } : decision;
}

const DESTRUCTIVE = "its server says that it may delete or overwrite something";

/** True if the server marks the tool as one that may delete or overwrite something. */
export function isDestructive({ annotations }: Tool): boolean {
  return annotations?.destructiveHint === true;
}

async function askPolicy(policy: Policy, call: ToolCall) {
  const { id } = call.tool;
  let answer: unknown;
  try {
    answer = await untilAborted(policy(call), call.signal);
  } catch (cause) {
    throwIfAborted(call.signal, id);
    const message = `${id} was not called: a policy (\`authorize\` or \`requireApproval\`) threw an error (see \`cause\`).`;
    throw new ToolrailError("denied", message, { cause });
  }
  if (answer === "allow" || answer === "ask") return answer;
  const { ask, deny } = isJsonObject(answer) ? answer : {};
  if (typeof ask === "string" && deny === undefined) return { ask };
  const reason = typeof deny === "string" ? deny : undefined;
  const why =
    reason ?? '`authorize` must answer "allow", "ask", { ask: reason } or { deny: reason }.';
  throw new ToolrailError("denied", `${id} was not called: ${why}`);
}
