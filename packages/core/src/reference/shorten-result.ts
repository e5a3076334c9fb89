import { canonicalJson, isJsonObject, measure } from "../json.ts";
import type { CallToolResult } from "../result/call-tool-result.ts";
import { type ContentBlock, plainBlock } from "../result/content-block.ts";
import { FOR_MODEL, isForModel, isForUserAlone, visibleBlocks } from "../result/model-view.ts";
import { type KeptResult, parseStructure, textOf } from "./kept-result.ts";
import { mediaNotice, type NoticeParts, restNotice, shapeNotice, textNotice } from "./notice.ts";

/** How long results are shortened. */
export interface Shortening extends NoticeParts {
  readonly minLength: number;
  /** `"address"` keeps media out of the model too. */
  readonly media: "show" | "address";
}

/** What is kept of a result: all that a model may read of it. `undefined` where that is short enough to be read. */
export function longParts(
  result: CallToolResult,
  minLength: number,
): Pick<KeptResult, "content" | "structured"> | undefined {
  const { content, structuredContent } = result;
  const isSmall = !measure([content, structuredContent], { maxBytes: minLength, maxDepth: 512 });
  if (isSmall || isForUserAlone(result)) return undefined;
  const view = visibleBlocks(result);
  const length = view.reduce((sum, block) => sum + (textOf(block)?.length ?? 0), 0);
  const isLong =
    length > minLength || view.some((block) => (mediaOf(block)?.length ?? 0) > minLength);
  if (!isLong) return undefined;
  const own = content.filter(isForModel).map(plainBlock);
  return {
    content: own,
    ...(structuredContent !== undefined && { structured: structuredContent }),
  };
}

/** The result with a notice in the place of each long text, structure or media; what is for the user alone stays. */
export function shortenResult(result: CallToolResult, how: Shortening): CallToolResult {
  const { structuredContent, ...rest } = result;
  const view = visibleBlocks(result);
  const own = result.content.filter(isForModel);
  const texts = own.filter((block) => textOf(block) !== undefined);
  let room = how.minLength;
  const short = view.map((block, at) => {
    const shown =
      at === own.length
        ? noticeOf(shapeNotice(structuredContent, { ...how, path: ".structured" }), block)
        : shortenBlock(block, { how, at, isOnlyText: texts.length === 1, structuredContent });
    room -= shown.reduce((sum, one) => sum + (textOf(one)?.length ?? 0), 0);
    return room < 0 ? undefined : shown;
  });
  const left = short.filter((shown) => shown === undefined).length;
  const lists = result.content.map((block) => {
    if (!isForModel(block)) return [block];
    const at = own.indexOf(block);
    const shown = short[at];
    return shown?.[0] === view[at] ? [block, ...(shown?.slice(1) ?? [])] : (shown ?? []);
  });
  const added = [...(short[own.length] ?? []), ...(left > 0 ? [text(restNotice(left, how))] : [])];
  // A structured value is not the user's to be shown.
  const forModel = added.map((block) => ({ ...block, annotations: FOR_MODEL }));
  return { ...rest, content: [...lists.flat(), ...forModel] };
}

interface BlockSite {
  readonly how: Shortening;
  readonly at: number;
  readonly isOnlyText: boolean;
  readonly structuredContent: unknown;
}

function shortenBlock(block: ContentBlock, site: BlockSite): readonly ContentBlock[] {
  const { how, at, isOnlyText } = site;
  const inner = block.type === "resource" ? `.content[${at}].resource` : `.content[${at}]`;
  const data = mediaOf(block);
  if (data !== undefined && data.length > how.minLength) {
    if (how.id === undefined) return how.media === "show" ? [block] : [text("(media left out)")];
    const mimeType = block.mimeType ?? block.resource?.mimeType;
    const path = `${inner}.${block.type === "resource" ? "blob" : "data"}`;
    const line = text(mediaNotice({ data, mimeType }, { id: how.id, path }));
    return how.media === "show" ? [block, line] : [line];
  }
  const words = textOf(block);
  if (words === undefined || words.length <= 2 * how.previewLength) return [block];
  const value = parseStructure(words);
  const structure = value === undefined ? undefined : structurePath(value, site);
  if (structure !== undefined)
    return noticeOf(shapeNotice(value, { ...how, path: structure }), block);
  const path = isOnlyText ? ".text" : `${inner}.text`;
  return noticeOf(textNotice(words, { ...how, path }), block);
}

/** Where the value that a text is as JSON stands in what is kept. */
function structurePath(value: unknown, { structuredContent, isOnlyText }: BlockSite) {
  if (structuredContent === undefined) return isOnlyText ? ".structured" : undefined;
  const said = canonicalJson(value);
  if (said === canonicalJson(structuredContent)) return ".structured";
  const [only, ...more] = isJsonObject(structuredContent) ? Object.entries(structuredContent) : [];
  const isOnly = only && more.length === 0 && said === canonicalJson(only[1]);
  return isOnly ? `.structured.${only[0]}` : undefined;
}

/** A notice in the place of a block, for the same readers. */
function noticeOf(notice: string, { annotations }: ContentBlock): readonly ContentBlock[] {
  return [{ ...text(notice), ...(annotations && { annotations }) }];
}

function text(words: string): ContentBlock {
  return { type: "text", text: words };
}

/** The base64 of a block. */
function mediaOf({ data, resource }: ContentBlock): string | undefined {
  return data ?? resource?.blob;
}
