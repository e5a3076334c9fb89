import type {
  ChainEnd,
  ChainResult,
  Hop,
  Host,
  ModelView,
  Progress,
  ToolrailErrorCode,
} from "@toolrail/core";
import {
  type CallListeners,
  type HopSummary,
  toHopSummary,
  viewWithListeners,
} from "@toolrail/core/adapter";
import type { KeepOptions } from "@toolrail/core/internal";
import { isForUserAlone } from "@toolrail/core/plugin";

/**
 * The output of a tool: all that reaches the SDK's steps, a browser and the message history. It holds
 * what a model may read and nothing else – no content for the user alone, no `_meta`. The content is empty
 * while the chain runs.
 */
export interface ToolOutput<Structured = unknown> extends ModelView {
  readonly hops: readonly HopSummary[];
  /** While a call runs: what its server last said of its progress. For a user: no model reads it. */
  readonly progress?: Progress;
  /** Absent while the chain runs. */
  readonly ended?: ChainEnd;
  /** Why the call, or a hop that follows from it, was not made or has no result: for a page to show. */
  readonly error?: { readonly code: ToolrailErrorCode; readonly message: string };
  /** Of a tool under `typed`: its own `structuredContent`, where it is valid and the model may read it. */
  readonly structured?: Structured;
  /** The host's id of the call, where each hop is a call of its own. */
  readonly callId?: string;
}

/** An output that only says this. */
export function toTextOutput(text: string): ToolOutput {
  return { ...EMPTY, content: [{ type: "text", text }] };
}

const EMPTY = { content: [], isError: false, placeholder: false, userOnly: false, hops: [] };

/** The output while a chain runs: what was done so far, without its content. */
export function toProgress(hops: readonly Hop[], progress?: Progress): ToolOutput {
  return { ...ofView(EMPTY, hops), ...(progress && { progress }) };
}

/** The output of one call, or of a chain with the reason why it ended, long results kept. */
export async function toOutput(
  source: Hop | ChainResult,
  options: CallListeners & KeepOptions & { readonly host: Host; readonly isTyped: boolean },
): Promise<ToolOutput> {
  const view = await viewWithListeners(source, options);
  const isChain = "hops" in source;
  const hops = isChain ? source.hops : [source];
  const output = { ...ofView(view, hops), ...(options.isTyped && structuredOf(hops[0])) };
  if (!isChain) return output;
  const { ended, error } = source;
  const why = error && { error: { code: error.code, message: error.message } };
  return { ...output, ended, ...why };
}

function structuredOf(hop: Hop | undefined): Pick<ToolOutput, "structured"> {
  if (hop?.output.status !== "valid" || isForUserAlone(hop.result)) return {};
  return { structured: hop.result.structuredContent };
}

/** What a model may read, as the output of a tool after these calls. */
export function ofView(view: ModelView, hops: readonly Hop[]): ToolOutput {
  return { ...view, hops: hops.map(toHopSummary) };
}
