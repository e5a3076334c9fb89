import type { ChainEnd, ChainResult, Hop, Host, KeepOptions, ModelView } from "@toolrail/core";
import {
  type CallListeners,
  type HopSummary,
  toHopSummary,
  viewWithListeners,
} from "@toolrail/core/adapter";

/**
 * The output of a tool: all that reaches the SDK's steps, a browser and the message history. It holds
 * what a model may read and nothing else – no content for the user alone, no `_meta`. The content is empty
 * while the chain runs.
 */
export interface ToolOutput extends ModelView {
  readonly hops: readonly HopSummary[];
  /** Absent while the chain runs. */
  readonly ended?: ChainEnd;
  /** The host's id of the call, where each hop is a call of its own. */
  readonly callId?: string;
}

/** The output while a chain runs: what was done so far, without its content. */
export function toProgress(hops: readonly Hop[]): ToolOutput {
  return ofView({ content: [], isError: false, placeholder: false, userOnly: false }, hops);
}

/** The output of one call, or of a chain with the reason why it ended, long results kept. */
export async function toOutput(
  source: Hop | ChainResult,
  options: CallListeners & KeepOptions & { readonly host: Host },
): Promise<ToolOutput> {
  const view = await viewWithListeners(source, options);
  return "hops" in source
    ? { ...ofView(view, source.hops), ended: source.ended }
    : ofView(view, [source]);
}

/** What a model may read, as the output of a tool after these calls. */
export function ofView(view: ModelView, hops: readonly Hop[]): ToolOutput {
  return { ...view, hops: hops.map(toHopSummary) };
}
