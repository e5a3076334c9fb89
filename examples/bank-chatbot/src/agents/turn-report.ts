import {
  type CallToolResult,
  type ChainResult,
  type Host,
  modelView,
  userView,
} from "@toolrail/core";
import type { ReportedHop, TurnReport, WidgetChoice } from "./bank-agent.ts";
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

/** Makes the call of a choice that the customer picked, and says what it did. No model is asked. */
export async function reportChoice(
  host: Host,
  { label, tool, arguments: args }: WidgetChoice,
): Promise<TurnReport> {
  const chain = await host.run({ tool: { server: "bank", name: tool }, arguments: args });
  const { content, verbatim } = userView(chain);
  const rest = content.filter((block) => !verbatim.includes(block));
  const answer = toTexts(rest).join("\n");
  return toTurnReport({ user: label, chains: [chain], answer, modelCalls: 0, tokens: 0 });
}

export function toTexts(content: CallToolResult["content"]): string[] {
  return content.map((block) => block.text ?? `[${block.type}]`);
}
