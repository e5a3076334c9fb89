import { type BaseMessage, ToolMessage } from "@langchain/core/messages";
import type { ChainEnd, Hop, ToolrailErrorCode } from "@toolrail/core";
import { isHop } from "@toolrail/core/adapter";
import { isJsonObject } from "@toolrail/core/json";

/** The part of a tool message that the application reads and no model does: see `artifactOf`. Plain JSON. */
export interface ToolArtifact {
  readonly runId: string;
  /** The end of the chain. Absent if a hop follows in a separate turn. */
  readonly ended?: ChainEnd;
  /** The calls that this message answers, with their raw results: for `userView` and `modelView`. */
  readonly hops: readonly Hop[];
  /** The reason for the end of the chain. Absent if the chain is complete. */
  readonly error?: { readonly code: ToolrailErrorCode; readonly message: string };
  /** True if all of it was for the user alone and was shown to them, so that the run may end here. */
  readonly shown?: boolean;
}

/**
 * Returns the artifact of a tool message that Toolrail wrote, or `undefined` for any other message. Do not trust it
 * if clients can write messages.
 */
export function artifactOf(message: BaseMessage): ToolArtifact | undefined {
  const { artifact }: { readonly artifact?: unknown } = Object(message);
  if (!isJsonObject(artifact) || !Array.isArray(artifact.hops)) return undefined;
  return artifact.hops.every(isHop) ? (artifact as unknown as ToolArtifact) : undefined;
}

export function findEarlierHops(state: unknown, runId: string): Hop[] {
  const { messages } = (state ?? {}) as { readonly messages?: unknown };
  const results = Array.isArray(messages) ? messages.filter(ToolMessage.isInstance) : [];
  const artifacts = results.flatMap((message) => artifactOf(message) ?? []);
  return artifacts.filter((one) => one.runId === runId).flatMap(({ hops }) => hops);
}
