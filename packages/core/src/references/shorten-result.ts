import { measure } from "../json/json.ts";
import type { CallToolResult } from "../result/call-tool-result.ts";
import {
  type ContentBlock,
  isForModel,
  isForUserAlone,
  plainBlock,
} from "../result/content-block.ts";
import { visibleBlocks } from "../result/model-view.ts";
import { type KeptResult, parseStructure, readText } from "./kept-results.ts";
import { keptAs, mediaNotice, type NoticeParts, shapeNotice, textNotice } from "./notice.ts";

const FOR_MODEL = { audience: ["assistant"] } as const;

/** A long result: the part that is stored, and the blocks that a model would read. */
export interface LongResult extends Pick<KeptResult, "content" | "structured"> {
  readonly view: readonly ContentBlock[];
}

/** The facts of a notice, and the length from which results are shortened. */
export interface Shortening extends NoticeParts {
  readonly minLength: number;
}

/** Collects everything that a model may read of a result. Returns `undefined` if it is short. */
export function toLongResult(result: CallToolResult, minLength: number): LongResult | undefined {
  const { content, structuredContent } = result;
  const isSmall = !measure([content, structuredContent], { maxBytes: minLength, maxDepth: 512 });
  if (isSmall || isForUserAlone(result)) return undefined;
  const view = visibleBlocks(result);
  const isLong =
    measureLength(view) > minLength || view.some((one) => (readData(one)?.length ?? 0) > minLength);
  if (!isLong) return undefined;
  const own = content.filter(isForModel).map(plainBlock);
  const [only, ...more] = own.flatMap((block) => readText(block) ?? []);
  // If a text repeats the structured value, models take its JSON for that value.
  const parsed = more.length === 0 && view.length === own.length ? parseStructure(only) : undefined;
  const structured = parsed ?? structuredContent;
  return { view, content: own, ...(structured !== undefined && { structured }) };
}

/**
 * Replaces long texts and structures of a result by notices, and adds notices to long media. Keeps content for the user alone.
 */
export function shortenResult(
  result: CallToolResult,
  { view, content: own, structured, ...shortening }: LongResult & Shortening,
): CallToolResult {
  const { structuredContent: _, ...rest } = result;
  const texts = own.filter((block) => readText(block) !== undefined);
  let room = shortening.minLength;
  let left = 0;
  const short = view.map((block, at): readonly ContentBlock[] => {
    const isOnlyText = texts.length < 2;
    const isValue = at === own.length || (isOnlyText && view.length === own.length);
    const site = { shortening, at, isOnlyText, ...(isValue && { structured }) };
    const shown = shortenBlock(block, site);
    room -= measureLength(shown);
    if (room < 0) left++;
    return room < 0 ? [] : shown;
  });
  let at = 0;
  const content = result.content.flatMap((block) => {
    if (!isForModel(block)) return [block];
    const [first, ...others] = short[at] ?? [];
    return first === view[at++] ? [block, ...others] : first ? [first, ...others] : [];
  });
  const where = shortening.id === undefined ? "" : `: see ${shortening.id}.content`;
  const last = left > 0 ? [toText(`[${left} more blocks, ${keptAs(shortening)}${where}]`)] : [];
  // A structured value is not shown to the user.
  const added = [...(short[own.length] ?? []), ...last].map((one) => ({
    ...one,
    annotations: FOR_MODEL,
  }));
  return { ...rest, content: [...content, ...added] };
}

interface BlockSite extends Pick<KeptResult, "structured"> {
  readonly shortening: Shortening;
  readonly at: number;
  readonly isOnlyText: boolean;
}

function shortenBlock(block: ContentBlock, site: BlockSite): readonly ContentBlock[] {
  const { shortening, at, isOnlyText, structured } = site;
  const [text, data] = [readText(block), readData(block)];
  const { mimeType } = block.resource ?? block;
  const { annotations = {} } = block;
  const inner = `.content[${at}]${block.resource ? ".resource" : ""}`;
  if (data !== undefined && data.length > shortening.minLength) {
    const path = `${inner}.${block.resource ? "blob" : "data"}`;
    const notice = {
      ...toText(mediaNotice({ data, mimeType }, { ...shortening, path })),
      annotations,
    };
    return [block, notice];
  }
  if (text === undefined || text.length <= 2 * shortening.previewLength) return [block];
  const isShape = structured !== undefined && parseStructure(text) !== undefined;
  const notice = isShape
    ? shapeNotice(structured, { ...shortening, path: ".structured" })
    : textNotice(text, { ...shortening, path: isOnlyText ? ".text" : `${inner}.text` });
  return [{ ...toText(notice), annotations }];
}

function toText(text: string): ContentBlock {
  return { type: "text", text };
}

function measureLength(blocks: readonly ContentBlock[]): number {
  return blocks.reduce((sum, block) => sum + (readText(block)?.length ?? 0), 0);
}

function readData({ data, resource }: ContentBlock): string | undefined {
  return data ?? resource?.blob;
}
