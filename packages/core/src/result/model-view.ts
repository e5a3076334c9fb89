import type { CallToolResult } from "./call-tool-result.ts";
import type { ChainResult } from "./chain-result.ts";
import { type Audience, type ContentBlock, plainBlock } from "./content-block.ts";
import type { Hop } from "./hop.ts";
import { readOnce } from "./read-once.ts";

/** A raw result, one call, or a chain. */
export type ResultSource = CallToolResult | Hop | ChainResult;

/** What a model may read of a result. `_meta` is never part of it. */
export interface ModelView {
  /** Blocks with the members that MCP gives their type and no others, in order. Never empty: see `placeholder`. */
  readonly content: readonly ContentBlock[];
  /** The last result is an error, or the chain was broken off. */
  readonly isError: boolean;
  /** True where nothing is for the model, and `content` is a fixed line that says so. */
  readonly placeholder: boolean;
  /** True where the user was shown something and the model nothing: the run may end here. */
  readonly userOnly: boolean;
}

const SHOWN = "The result was shown to the user.";
const SHOWN_ERROR = "The tool reported an error, which was shown to the user.";
const EMPTY = "The tool answered without content.";

/**
 * Filters by `annotations.audience` (MCP 2025-11-25): absent means the model and the user. `structuredContent` is
 * added as JSON text, unless the visible blocks say it already or every block is for the user alone.
 */
export function modelView(source: ResultSource): ModelView {
  const results = resultsOf(source);
  const content = results.flatMap(visibleBlocks);
  const note = "ended" in source ? noteOn(source) : undefined;
  const isError = results.at(-1)?.isError === true || note !== undefined;
  if (note) content.push({ type: "text", text: note });
  if (content.length > 0) return { content, isError, placeholder: false, userOnly: false };
  const userOnly = results.some((result) => result.content.some(isForUser));
  const text = userOnly ? (isError ? SHOWN_ERROR : SHOWN) : EMPTY;
  return { content: [{ type: "text", text }], isError, placeholder: true, userOnly };
}

/** The raw results of a source, in order. */
export function resultsOf(source: ResultSource): readonly CallToolResult[] {
  if ("hops" in source) return source.hops.map((hop) => hop.result);
  return ["result" in source && "callId" in source ? source.result : (source as CallToolResult)];
}

export function isForUser(block: ContentBlock): boolean {
  return isFor("user", block);
}

export function isForModel(block: ContentBlock): boolean {
  return isFor("assistant", block);
}

/** True where there is content and none of it is for the model: then `structuredContent` is not either. */
export function isForUserAlone({ content }: CallToolResult): boolean {
  return content.length > 0 && !content.some(isForModel);
}

/** No audience means everyone. */
function isFor(audience: Audience, { annotations }: ContentBlock): boolean {
  return annotations?.audience == null || [annotations.audience].flat().includes(audience);
}

function visibleBlocks(result: CallToolResult): ContentBlock[] {
  const blocks = result.content.filter(isForModel).map(plainBlock);
  const { structuredContent } = result;
  if (structuredContent === undefined || isForUserAlone(result)) return blocks;
  return readOnce(blocks, { value: structuredContent, content: result.content });
}

function noteOn({ ended, error }: ChainResult): string | undefined {
  if (ended === "complete") return undefined;
  return `The chain of tool calls ended early (${ended}). ${error?.message ?? ""}`.trim();
}

/**
 * True where there are results and each of them was for the user alone: the run may end without another
 * turn of the model. Pass the results since the model's last turn, one for each call.
 */
export function allForUser(results: readonly Partial<Pick<ModelView, "userOnly">>[]): boolean {
  return results.length > 0 && results.every(({ userOnly }) => userOnly === true);
}
