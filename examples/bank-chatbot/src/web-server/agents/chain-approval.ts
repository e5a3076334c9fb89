import { type ChainResult, type Host, modelView } from "@toolrail/core";
import { toTexts } from "../../agents/turn-report.ts";
import type { PendingApproval, WebAgent } from "./web-agent.ts";

/** A chain that stopped at a hop which a person has to approve; it goes on without a model. */
export function toApproval(
  host: Host,
  chain: ChainResult,
  note: WebAgent["note"],
): PendingApproval {
  const { server = "", tool = "", arguments: args = {} } = chain.pending ?? {};
  return {
    call: { server, tool, arguments: args },
    withdraw: () => {},
    async decide(approved, { signal }) {
      const decision = approved ? "approve" : { deny: "The customer declined." };
      const next = await host.resume(chain, decision, { signal });
      const news = { ...next, hops: next.hops.slice(chain.hops.length) };
      const verb = approved ? "approve" : "decline";
      note(`I ${verb} ${tool}.`, toTexts(modelView(news).content).join("\n"));
      return next.ended === "needs-approval" ? [toApproval(host, next, note)] : [];
    },
  };
}
