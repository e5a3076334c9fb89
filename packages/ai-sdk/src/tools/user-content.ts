import { type ContentBlock, userView } from "@toolrail/core";
import { type HopResult, type ToolCallResult, toHopSummary } from "@toolrail/core/adapter";

/** What a user is shown of a call and no model reads: the data of a `data-user-content` part. */
export interface UserContent {
  readonly toolCallId: string;
  /** `server.tool` of the last call that it comes from. */
  readonly tool: string;
  /** To be shown word for word. */
  readonly content: readonly ContentBlock[];
}

/** The data parts of messages, for `UIMessage<Metadata, UserContentParts>` and so for `useChat`. */
export type UserContentParts = { "user-content": UserContent };

interface PartWriter {
  write(part: { type: "data-user-content"; id: string; data: UserContent }): void;
}

/**
 * A listener for `onHop` or `onResult`, not both, that writes what is for the user alone into the stream of
 * `createUIMessageStream`. Such parts never become model messages unless `convertDataPart` says so.
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
