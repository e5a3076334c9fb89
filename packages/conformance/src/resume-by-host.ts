import type { ChainResult, Host } from "@toolrail/core";
import type { ChainOutcome } from "./harness.ts";

/**
 * Lets the application resume a chain that ran inside a call, since such a call cannot wait. Returns `{}` if the chain has ended.
 */
export function resumeByHost(host: Host, paused: ChainResult): Pick<ChainOutcome, "resume"> {
  if (paused.ended !== "needs-approval" && paused.ended !== "needs-input") return {};
  return {
    async resume(decision) {
      const chain = await host.resume(paused, decision);
      const { hops, ended } = chain;
      const isError = ended !== "complete";
      const again = resumeByHost(host, chain);
      return { hops, ended, modelRead: [], isError, modelCalls: 0, ...again };
    },
  };
}
