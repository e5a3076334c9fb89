import type { ChainResult } from "../chain/chain-result.ts";
import { canonicalJson } from "../json.ts";
import type { CallToolResult, ContentBlock } from "./call-tool-result.ts";
import type { Hop } from "./hop.ts";

/** A raw result, one call, or a chain. */
export type ResultSource = CallToolResult | Hop | ChainResult;

export interface ModelViewOptions {
  /**
   * Whether `structuredContent` is shown as JSON text. `"auto"` (the default) leaves it out where a
   * visible text block is its JSON already, or where every block is for the user alone.
   */
  readonly structured?: "auto" | "always" | "never";
}

/** What a model may read of a result. `_meta` is never part of it. */
export interface ModelView {
  /** Blocks without their annotations and `_meta`, in order. Never empty: see `placeholder`. */
  readonly content: readonly ContentBlock[];
  /** The last result is an error, or the chain was broken off. */
  readonly isError: boolean;
  /** True where nothing is for the model, and `content` is one line of ours that says so. */
  readonly placeholder: boolean;
  /** True where the user was shown something and the model nothing: the run may end here. */
  readonly userOnly: boolean;
}

const SHOWN = "The result was shown to the user.";
const SHOWN_ERROR = "The tool reported an error, which was shown to the user.";
const EMPTY = "The tool answered without content.";

/** Filters by `annotations.audience` (MCP 2025-11-25): absent means the model and the user. */
export function modelView(source: ResultSource, options: ModelViewOptions = {}): ModelView {
  const results = resultsOf(source);
  const content = results.flatMap((result) => visibleBlocks(result, options));
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
  const audience = audienceOf(block);
  return audience === undefined || audience.includes("user");
}

export function isForModel(block: ContentBlock): boolean {
  const audience = audienceOf(block);
  return audience === undefined || audience.includes("assistant");
}

/** True where there is content and none of it is for the model: then `structuredContent` is not either. */
export function isForUserAlone({ content }: CallToolResult): boolean {
  return content.length > 0 && !content.some(isForModel);
}

/** Absent or not a list means everyone: annotations come from strangers. */
function audienceOf(block: ContentBlock): readonly string[] | undefined {
  const audience: unknown = block.annotations?.audience;
  return Array.isArray(audience) ? audience : undefined;
}

function visibleBlocks(
  result: CallToolResult,
  { structured = "auto" }: ModelViewOptions,
): ContentBlock[] {
  const blocks = result.content.filter(isForModel).map(withoutAnnotations);
  const { structuredContent } = result;
  if (structuredContent === undefined || structured === "never") return blocks;
  const text = JSON.stringify(structuredContent);
  if (
    structured === "auto" &&
    (isForUserAlone(result) || blocks.some((block) => isJsonOf(block, text)))
  ) {
    return blocks;
  }
  return [...blocks, { type: "text", text }];
}

function withoutAnnotations(block: ContentBlock): ContentBlock {
  const { annotations: _a, _meta: _m, ...shown } = block;
  return shown;
}

/** True where the block's text is that JSON, whatever its spacing and the order of its keys. */
function isJsonOf(block: ContentBlock, json: string): boolean {
  if (block.type !== "text" || block.text === undefined) return false;
  if (block.text === json) return true;
  if (block.text.length < json.length) return false;
  try {
    const value: unknown = JSON.parse(block.text);
    return (
      JSON.stringify(value) === json || canonicalJson(value) === canonicalJson(JSON.parse(json))
    );
  } catch {
    return false;
  }
}

function noteOn({ ended, error }: ChainResult): string | undefined {
  if (ended === "complete") return undefined;
  return `The chain of tool calls ended early (${ended}). ${error?.message ?? ""}`.trim();
}
