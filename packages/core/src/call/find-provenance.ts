import type { CallToolResult } from "../result/call-tool-result.ts";
import { isForModel, isForUserAlone } from "../result/model-view.ts";
import type { UsedReference } from "../result/used-reference.ts";
import type { ArgumentSource, Provenance, SourceTracker } from "./argument-source.ts";
import type { CallOptions } from "./call-request.ts";
import type { ToolCall } from "./tool-call.ts";

type Asked = Pick<ToolCall, "tool" | "arguments" | "origin" | "references"> &
  Pick<CallOptions, "scope" | "userText" | "sources">;

/** What those who make the call know exactly of its arguments, and what addresses in them stand for. */
export function exactSources({
  origin,
  sources = [],
  references = [],
}: Pick<Asked, "origin" | "sources" | "references">): readonly ArgumentSource[] {
  const known = [...sources, ...references.map(toSource)];
  if (origin.by !== "chain") return known;
  const { after, causedBy: callId } = origin;
  const dot = after.indexOf(".");
  const place = { server: after.slice(0, dot), tool: after.slice(dot + 1), callId };
  return [...known, { path: "", ...place, from: "_meta.nextTool.arguments", how: "chain" }];
}

function toSource({ address, preview: _, path, ...place }: UsedReference): ArgumentSource {
  const from = address.slice(address.indexOf(".") + 1);
  return { ...place, path, from, how: "reference" };
}

/** What is known of where the arguments came from: exactly, and by what was read in the scope before. */
export async function findProvenance(
  tracker: SourceTracker | undefined,
  { scope, userText = [], ...call }: Asked,
): Promise<Partial<Provenance>> {
  const exact = exactSources(call);
  if (!tracker || scope === undefined) return { sources: exact };
  return tracker.find({ ...call, scope, userText, exact });
}

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

/** Sources as an event may name them: by the arguments of the tool, since keys inside them may be values. */
export function placesOf(sources: readonly ArgumentSource[]) {
  return sources.map(({ from: _, path, ...place }) => ({
    ...place,
    path: path.split(".")[0] ?? "",
  }));
}
