import { type CallToolResult, type ChainResult, modelView, userView } from "@toolrail/core";
import type { ReportedHop, TurnReport } from "./bank-agent.ts";
import { toWidget } from "./widget.ts";

export interface Turn {
  readonly user: string;
  /** The chains that ran, in order. */
  readonly chains: readonly ChainResult[];
  /** The model's own words, if it had the last one. */
  readonly answer: string;
  readonly modelCalls: number;
  readonly tokens: number;
}

/** Says what a turn on rails did: the same for every framework, since the core ran the chains. */
export function toTurnReport({ user, chains, answer, modelCalls, tokens }: Turn): TurnReport {
  const hops = chains.flatMap((chain) => chain.hops);
  const verbatim = chains.flatMap((chain) => userView(chain).verbatim);
  const widget = hops.flatMap((hop) => toWidget(hop.result) ?? []).at(-1);
  return {
    user,
    shown: [...toTexts(verbatim), ...(answer ? [answer] : [])],
    hops: hops.map(({ tool, origin, durationMs, result }) => ({
      tool,
      by: origin.by === "chain" || origin.by === "model" ? origin.by : "application",
      durationMs,
      isError: result.isError === true,
    })) satisfies ReportedHop[],
    modelRead: modelCalls > 0 ? chains.flatMap((one) => toTexts(modelView(one).content)) : [],
    modelCalls,
    tokens,
    ...(widget && { widget }),
  };
}

export function toTexts(content: CallToolResult["content"]): string[] {
  return content.map((block) => block.text ?? `[${block.type}]`);
}
