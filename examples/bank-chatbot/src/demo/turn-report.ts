import type { Entry, HopView } from "../conversation/conversation-view.ts";

/** The events of one turn of a conversation. */
export interface TurnReport {
  readonly user: string;
  /** The texts that the customer was shown: content for the user word for word, then the model's text. */
  readonly shown: readonly string[];
  readonly hops: readonly ReportedHop[];
  /** The part of the tools' results that the model read. */
  readonly modelRead: readonly string[];
  readonly modelCalls: number;
  readonly tokens: number;
}

/** One call of a tool. The duration is absent if the framework does not report it. */
export interface ReportedHop extends Pick<HopView, "tool" | "by" | "durationMs"> {
  readonly isError: boolean;
}

/** Sums up what a turn added to a conversation. */
export function toTurnReport(entries: readonly Entry[], modelRead: readonly string[]): TurnReport {
  const ofType = <Type extends Entry["type"]>(...types: readonly Type[]) =>
    entries.filter((one): one is Entry & { type: Type } => types.some((type) => type === one.type));
  const calls = ofType("model");
  return {
    user: ofType("user")[0]?.text ?? "",
    shown: ofType("shown", "words", "notice").map(({ text }) => text),
    hops: ofType("hop").map(({ tool, by, state, durationMs }) => ({
      ...{ tool: tool.slice(tool.indexOf(".") + 1), by, isError: state !== "done" },
      ...(durationMs !== undefined && { durationMs }),
    })),
    modelRead: calls.length > 0 ? modelRead : [],
    modelCalls: calls.length,
    tokens: calls.reduce((sum, { tokens = 0 }) => sum + tokens, 0),
  };
}
