import type { CallToolResult } from "../result/call-tool-result.ts";
import { isForModel, isForUserAlone } from "../result/model-view.ts";
import type { SourceTracker } from "./argument-source.ts";
import type { ToolCall } from "./tool-call.ts";

/** Remembers what a model may read of what came of a call. */
export async function keepRead(
  tracker: SourceTracker | undefined,
  { tool, arguments: args, scope, callId, text }: ToolCall & { readonly text: string },
): Promise<void> {
  if (!tracker || scope === undefined || text === "") return;
  const { server, name } = tool;
  await tracker.keep({ scope, server, tool: name, callId, text, asked: JSON.stringify(args) });
}

/** All words of a result that are not for the user alone. */
export function readableText(result: CallToolResult): string {
  const { structuredContent } = result;
  const texts = result.content
    .filter(isForModel)
    .flatMap(({ text, name, description, uri, resource }) => {
      return [text, name, description, uri, resource?.uri, resource?.text].filter((one) => one);
    });
  const isRead = structuredContent !== undefined && !isForUserAlone(result);
  const structured = isRead ? JSON.stringify(structuredContent) : "";
  return [...texts, structured === texts[0] ? "" : structured].join("\n").trim();
}
