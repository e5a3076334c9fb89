import { ToolMessage } from "@langchain/core/messages";
import {
  type ChainEnd,
  type ChainResult,
  type ContentBlock,
  type Hop,
  type JsonObject,
  type ModelViewOptions,
  modelView,
  type ToolrailErrorCode,
  userView,
} from "@toolrail/core";
import { type MessageBlock, toContentBlocks, toMessageContent } from "./content-blocks.ts";

/** The artifact of a tool message: what the application gets and no model reads. Plain JSON. */
export interface ToolArtifact {
  readonly runId: string;
  /** Absent where the chain goes on in a turn of its own. */
  readonly ended?: ChainEnd;
  /** Every call that this message answers for, with its raw result. */
  readonly hops: readonly Hop[];
  /** Of the last hop. */
  readonly structuredContent?: unknown;
  /** `_meta` of the last hop. */
  readonly meta?: JsonObject;
  /** All blocks for the user, in order. */
  readonly userContent: readonly ContentBlock[];
  /** The model was left nothing but a line that says so. */
  readonly placeholder: boolean;
  /** The user was shown something and the model nothing. */
  readonly userOnly: boolean;
  /** Why the chain ended, unless it is complete. */
  readonly error?: { readonly code: ToolrailErrorCode; readonly message: string };
}

/** Content and artifact of a chain, and whether it failed. */
export interface ToolAnswer {
  readonly content: readonly MessageBlock[];
  readonly artifact: ToolArtifact;
  readonly isError: boolean;
}

export function toAnswer(chain: ChainResult, options: ModelViewOptions, isEnd = true): ToolAnswer {
  const { content, isError, placeholder, userOnly } = modelView(chain, options);
  const { runId, ended, hops, error } = chain;
  const last = hops.at(-1)?.result;
  const artifact: ToolArtifact = {
    runId,
    ...(isEnd && { ended }),
    hops,
    userContent: userView(chain).content,
    placeholder,
    userOnly,
    ...(last?.structuredContent !== undefined && { structuredContent: last.structuredContent }),
    ...(last?._meta && { meta: last._meta }),
    ...(error && { error: { code: error.code, message: error.message } }),
  };
  return { content: toContentBlocks(content), artifact, isError };
}

/** `id` is the message's own; without one LangGraph gives it one. */
export function toToolMessage(
  { content, artifact, isError }: ToolAnswer,
  { id, name, toolCallId }: { id?: string; name: string; toolCallId: string },
): ToolMessage {
  return new ToolMessage({
    ...(id !== undefined && { id }),
    name,
    tool_call_id: toolCallId,
    ...toMessageContent(content),
    artifact,
    status: isError ? "error" : "success",
  });
}

/** The artifact of a message of ours; `undefined` for any other. Its content is not to be trusted. */
export function artifactOf(message: ToolMessage): ToolArtifact | undefined {
  const artifact: unknown = message.artifact;
  return typeof artifact === "object" && artifact !== null && "hops" in artifact
    ? (artifact as ToolArtifact)
    : undefined;
}
