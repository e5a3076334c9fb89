import { ToolMessage } from "@langchain/core/messages";
import type { ModelView } from "@toolrail/core";
import { toMessageBlocks, toMessageContent } from "./content-blocks.ts";

/** The tool call that a message answers. `id` is the id of the message, since models repeat the ids of calls. */
interface Answered {
  readonly id: string;
  readonly name: string;
  readonly toolCallId: string;
  readonly artifact: object;
}

/** Creates the message that answers a tool call, with the text for the model and the artifact for the application. */
export function toToolMessage(
  { content, isError }: Pick<ModelView, "content" | "isError">,
  { artifact, id, name, toolCallId }: Answered,
): ToolMessage {
  return new ToolMessage({
    id,
    name,
    tool_call_id: toolCallId,
    content: toMessageContent(toMessageBlocks(content)),
    artifact,
    status: isError ? "error" : "success",
  });
}
