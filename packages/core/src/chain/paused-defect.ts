import { isJsonObject } from "../json.ts";
import { quoted } from "../plain-text.ts";
import { isCall, isHop } from "../result/hop.ts";

/** Why a chain that was kept does not wait for a person; `undefined` where it does. A lone hop may only be refused. */
export function pausedDefect(chain: unknown, decision: unknown): string | undefined {
  if (!isJsonObject(chain)) return `${ONLY}; this is no chain.`;
  const { runId, ended, hops, pending } = chain;
  if (ended !== "needs-approval") {
    return `${ONLY}; this one is ${typeof ended === "string" ? quoted(ended) : "of no known end"}.`;
  }
  if (typeof runId !== "string") return broken("its runId is not a text");
  if (!Array.isArray(hops) || !hops.every(isHop)) return broken("its hops are not a list of hops");
  if (!isCall(pending)) return broken("its pending call is not one");
  if (typeof pending.binding !== "string") return broken("its pending call has no binding");
  if (decision === "approve" && hops.length === 0 && pending.origin.by === "chain") {
    return broken("its pending call follows from a result, and there is none");
  }
  return undefined;
}

const ONLY = "Only a chain that ended with needs-approval can be resumed";

function broken(why: string): string {
  return `This chain cannot be resumed: ${why}. Keep what \`host.run\` returned as it is, as JSON.`;
}
