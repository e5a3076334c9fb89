import {
  type ChainEnd,
  type ChainResult,
  type ContentBlock,
  type Hop,
  type ModelViewOptions,
  modelView,
  type PlannedHop,
  type ResultSource,
  ToolrailError,
} from "@toolrail/core";

/** A call of a chain, as a user interface may show it. */
export interface HopProgress {
  /** `server.tool`. */
  readonly tool: string;
  readonly status: "done" | "error";
  readonly durationMs: number;
}

/**
 * The output of a tool: all that reaches the SDK's steps, a browser and the message history. It holds
 * what a model may read and nothing else – no content for the user alone, no `_meta`.
 */
export interface ToolOutput {
  /** Empty while the chain runs. */
  readonly content: readonly ContentBlock[];
  readonly isError: boolean;
  readonly hops: readonly HopProgress[];
  /** Absent while the chain runs. */
  readonly ended?: ChainEnd;
  /** The user was shown the result, and the model nothing: see `shownToUser`. */
  readonly userOnly?: true;
  /** Nothing is for the model: `content` is one line of ours that says so. */
  readonly placeholder?: true;
  /** The host's id of the call, where each hop is a call of its own. */
  readonly callId?: string;
}

/** The output while a chain runs: what was done so far, without its content. */
export function toProgress(hops: readonly Hop[]): ToolOutput {
  return { content: [], isError: false, hops: hops.map(toHopProgress) };
}

/** The output of a chain that has ended. */
export function toOutput(chain: ChainResult, options: ModelViewOptions): ToolOutput {
  return { ...toView(chain, options), hops: chain.hops.map(toHopProgress), ended: chain.ended };
}

/** The output of one call of a chain whose hops are calls of their own: `ended` stands on the last. */
export function toHopOutput(
  outcome: Hop | ToolrailError,
  next: PlannedHop,
  options: ModelViewOptions,
): ToolOutput {
  const made = ToolrailError.isInstance(outcome) ? undefined : outcome;
  const hops = made ? [made] : [];
  const progress = { hops: hops.map(toHopProgress), ...(made && { callId: made.callId }) };
  if (next.type === "call" && made) return { ...toView(made, options), ...progress };
  const { type: _, ...end } = next as Extract<PlannedHop, { type: "end" }>;
  const chain = { ...end, runId: made?.runId ?? "", hops };
  return { ...toView(chain, options), ...progress, ended: chain.ended };
}

function toView(source: ResultSource, options: ModelViewOptions) {
  const { content, isError, userOnly, placeholder } = modelView(source, options);
  return { content, isError, ...(userOnly && { userOnly }), ...(placeholder && { placeholder }) };
}

/** A call as a user interface may show it. */
export function toHopProgress({ server, tool, result, durationMs }: Hop): HopProgress {
  return { tool: `${server}.${tool}`, status: result.isError ? "error" : "done", durationMs };
}
