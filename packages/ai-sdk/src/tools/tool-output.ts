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
  isForUserAlone,
  toHopSummary,
  viewWithListeners,
} from "@toolrail/core/adapter";

/**
 * The output of a tool in the SDK's steps, in a browser and in the message history. It contains only what a model may
 * read: no content for the user only, and no `_meta`. The content is empty while the chain runs.
 */
export interface ToolOutput<Structured = unknown> extends ModelView {
  readonly hops: readonly HopSummary[];
  /** The last progress that the server reported while a call runs. It is for a user, and no model reads it. */
  readonly progress?: Progress;
  /** The end of the chain. Absent while the chain runs. */
  readonly ended?: ChainEnd;
  /** The reason why a call or a hop was not made or has no result. A page may show it. */
  readonly error?: { readonly code: ToolrailErrorCode; readonly message: string };
  /** The valid `structuredContent` of a tool under `typed`, or of a call by a program, if the model may read it. */
  readonly structured?: Structured;
  /** The host's id of the call, if each hop is a separate call. */
  readonly callId?: string;
}

const EMPTY = { content: [], isError: false, placeholder: false, userOnly: false, hops: [] };

/** Creates the output while a chain runs: the finished hops without their content. */
export function toProgress(hops: readonly Hop[], progress?: Progress): ToolOutput {
  return { ...withHops(EMPTY, hops), ...(progress && { progress }) };
}

/** Creates the output of one call, or of a chain with the reason for its end. Long results are stored. */
export async function toOutput(
  source: Hop | ChainResult,
  options: CallListeners &
    Parameters<Host["keep"]>[1] & { readonly host: Host; readonly withStructured: boolean },
): Promise<ToolOutput> {
  const view = await viewWithListeners(source, options);
  const isChain = "hops" in source;
  const hops = isChain ? source.hops : [source];
  const output = {
    ...withHops(view, hops),
    ...(options.withStructured && readStructured(hops[0])),
  };
  if (!isChain) return output;
  const { ended, error } = source;
  const why = error && { error: { code: error.code, message: error.message } };
  return { ...output, ended, ...why };
}

function readStructured(hop: Hop | undefined): Pick<ToolOutput, "structured"> {
  if (hop?.output.status !== "valid" || isForUserAlone(hop.result)) return {};
  return { structured: hop.result.structuredContent };
}

export function withHops(view: ModelView, hops: readonly Hop[]): ToolOutput {
  return { ...view, hops: hops.map(toHopSummary) };
}
