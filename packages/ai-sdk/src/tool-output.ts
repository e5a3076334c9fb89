import {
  type ChainEnd,
  type ChainResult,
  type ContentBlock,
  type Hop,
  type ModelViewOptions,
  modelView,
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
}

/** The output while a chain runs: what was done so far, without its content. */
export function toProgress(hops: readonly Hop[]): ToolOutput {
  return { content: [], isError: false, hops: hops.map(toHopProgress) };
}

/** The output of a chain that has ended. */
export function toOutput(chain: ChainResult, options: ModelViewOptions): ToolOutput {
  const { content, isError, userOnly } = modelView(chain, options);
  return {
    content,
    isError,
    hops: chain.hops.map(toHopProgress),
    ended: chain.ended,
    ...(userOnly && { userOnly }),
  };
}

/**
 * A stop condition: true when all results of the last step were for the user alone, so that the model
 * has nothing to add.
 */
export function shownToUser(): (state: {
  readonly steps: readonly { readonly toolResults: readonly { readonly output: unknown }[] }[];
}) => boolean {
  return ({ steps }) => {
    const results = steps.at(-1)?.toolResults ?? [];
    return results.length > 0 && results.every(({ output }) => isUserOnly(output));
  };
}

function isUserOnly(output: unknown): boolean {
  return (
    typeof output === "object" &&
    output !== null &&
    "userOnly" in output &&
    output.userOnly === true
  );
}

/** A call as a user interface may show it. */
export function toHopProgress({ server, tool, result, durationMs }: Hop): HopProgress {
  return { tool: `${server}.${tool}`, status: result.isError ? "error" : "done", durationMs };
}
