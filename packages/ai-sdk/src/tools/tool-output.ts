import {
  type ChainEnd,
  type ChainResult,
  type ContentBlock,
  type Hop,
  type Host,
  type ModelView,
  type ToolrailErrorCode,
  userView,
} from "@toolrail/core";
import {
  type CallListeners,
  type HopResult,
  type HopSummary,
  type ModelPart,
  partText,
  type ToolCallResult,
  toHopSummary,
  toModelParts,
  viewWithListeners,
} from "@toolrail/core/adapter";
import type { FileForm, ModelOutput, ModelOutputPart } from "../sdk.ts";

/**
 * The output of a tool in the SDK's steps, in a browser and in the message history. It contains only what a model may
 * read: no content for the user only, and no `_meta`.
 */
export interface ToolOutput extends ModelView {
  readonly hops: readonly HopSummary[];
  /** The end of the chain. Absent if a hop follows as a separate call. */
  readonly ended?: ChainEnd;
  /** The reason why a call or a hop was not made or has no result. A page may show it. */
  readonly error?: { readonly code: ToolrailErrorCode; readonly message: string };
  /** The host's id of the call, if each hop is a separate call. */
  readonly callId?: string;
}

/** Creates the output of one call, or of a chain with the reason for its end. Long results are stored. */
export async function toOutput(
  source: Hop | ChainResult,
  options: CallListeners & { readonly host: Host; readonly conversation?: string | undefined },
): Promise<ToolOutput> {
  const view = await viewWithListeners(source, options);
  if (!("hops" in source)) return withHops(view, [source]);
  const { hops, ended, error } = source;
  const why = error && { error: { code: error.code, message: error.message } };
  return { ...withHops(view, hops), ended, ...why };
}

export function withHops(view: ModelView, hops: readonly Hop[]): ToolOutput {
  return { ...view, hops: hops.map(toHopSummary) };
}

/** Converts a view to the output that a model reads. Media never become text. */
export function toModelOutput(
  view: Pick<ModelView, "content" | "isError">,
  files: FileForm,
): ModelOutput {
  const parts = toModelParts(view.content).map((part) => toSdkPart(part, files));
  return joinParts(parts, view.isError);
}

/** Returns parts as one output: only text as `text`, an error as `error-text`, anything with media as `content`. */
export function joinParts(parts: readonly ModelOutputPart[], isError: boolean): ModelOutput {
  const isText = parts.every(({ type }) => type === "text");
  if (!isText && !isError) return { type: "content", value: [...parts] };
  return { type: isError ? "error-text" : "text", value: parts.map(toText).join("\n") };
}

function toText(part: ModelOutputPart): string {
  if (part.type === "text") return part.text;
  return partText({ type: "file", mimeType: part.mediaType, data: "" });
}

function toSdkPart(part: ModelPart, files: FileForm): ModelOutputPart {
  if (part.type === "text") return part;
  const { mimeType: mediaType, data } = part;
  if (files === "by-kind") {
    return { type: part.type === "image" ? "image-data" : "file-data", data, mediaType };
  }
  // Only `ai` 7 has this form. The types declare the older form, which both majors accept.
  const tagged = { type: "file", mediaType, data: { type: "data", data } };
  return tagged as unknown as ModelOutputPart;
}

/** The content of a call that a user reads and no model does: the data of a `data-user-content` part. */
export interface UserContent {
  readonly toolCallId: string;
  /** The last call with this content, as `server.tool`. */
  readonly tool: string;
  /** The content to show word for word. */
  readonly content: readonly ContentBlock[];
}

/** The data parts of messages, for `UIMessage<Metadata, UserContentParts>` and so for `useChat`. */
export type UserContentParts = { "user-content": UserContent };

interface PartWriter {
  write(part: { type: "data-user-content"; id: string; data: UserContent }): void;
}

/**
 * Creates a listener for `onHop` or `onResult`, not both. It writes content for the user only into the stream of
 * `createUIMessageStream`. Such parts become model messages only if `convertDataPart` converts them.
 */
export function writeUserContent(writer: PartWriter): (result: HopResult | ToolCallResult) => void {
  return (result) => {
    const source = "hop" in result ? result.hop : result.chain;
    const content = userView(source).verbatim.map(({ _meta, ...block }) => block);
    const last = "hop" in result ? result.hop : result.chain.hops.at(-1);
    if (content.length === 0 || !last) return;
    const { toolCallId = last.callId } = result;
    const data = { toolCallId, tool: toHopSummary(last).tool, content };
    writer.write({ type: "data-user-content", id: last.callId, data });
  };
}
