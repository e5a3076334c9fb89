import { type ContentBlock, userView } from "@toolrail/core";
import { type HopResult, type ToolCallResult, toHopSummary } from "@toolrail/core/adapter";

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
