import { createOptionCheck } from "../check-options.ts";
import type { CallToolResult } from "./call-tool-result.ts";
import type { ChainResult } from "./chain-result.ts";
import { changeText } from "./change-text.ts";
import { type Audience, type ContentBlock, plainBlock } from "./content-block.ts";
import { type Hop, isLeftOut } from "./hop.ts";
import { labelCalls } from "./label-calls.ts";
import { readOnce } from "./read-once.ts";
import { isWidget } from "./widget.ts";

/** A raw result, one call, or a chain. */
export type ResultSource = CallToolResult | Hop | ChainResult;

/** What a model may read of a result. `_meta` is never part of it. */
export interface ModelView {
  /**
   * Blocks with the members that MCP defines for their type, in order, and with their audience if that is only the
   * assistant. Never empty: see `placeholder`.
   */
  readonly content: readonly ContentBlock[];
  /** The last result is an error, or the chain ended early. */
  readonly isError: boolean;
  /** True if nothing is for the model, and `content` is a fixed line that says so, of a chain one for each call. */
  readonly placeholder: boolean;
  /** True if the user was shown something and the model nothing: the run may end here. */
  readonly userOnly: boolean;
}

/** The members of `host.tools` that are used here. */
interface NamedTool {
  readonly server: string;
  readonly name: string;
  readonly modelName: string;
}

/** How `modelView` reads a result. */
interface ViewOptions {
  /** False says that nobody shows the user anything. Default: true. */
  readonly isShown?: boolean;
  /** `host.tools`: a chain names each tool as models know it. Default: each is named `server.tool`. */
  readonly tools?: readonly NamedTool[];
}

const checkOptions = /* @__PURE__ */ createOptionCheck<ViewOptions>("modelView", {
  isShown: "boolean",
  tools: "list",
});

const FOR_MODEL = { audience: ["assistant"] } as const;
const EMPTY = "The tool answered without content.";

/**
 * What a model reads of a result, by `annotations.audience` (MCP 2025-11-25): absent means the model and the user.
 * `structuredContent` is added as JSON text, unless the visible blocks say it already or every block is for the user
 * alone. Where a person changed the arguments, a sentence says so. A widget, which has no content, is for the user: see `isWidget` of a hop. Of a chain with further calls, what
 * each one answered follows the name of its tool, also where nothing of it is for the model.
 */
export function modelView(source: ResultSource, options: ViewOptions = {}): ModelView {
  checkOptions(options);
  const { isShown = true, tools = [] } = options;
  const results = resultsOf(source);
  const told = "hops" in source ? source.hops : [source];
  const blocks = told.map(hopBlocks);
  const note = "ended" in source ? noteOn(source) : undefined;
  const isBad =
    "ended" in source ? source.ended !== "complete" : isHopOf(source) && isLeftOut(source);
  const isError = results.at(-1)?.isError === true || isBad;
  const calls = told.map((one, at) => ({
    name: told.length > 1 && isHopOf(one) ? modelNameOf(one, tools) : "",
    isMade: true,
    parts: [
      ...changesOf(one),
      ...(blocks[at]?.length ? blocks[at] : [placeholderOf(one, isShown)]),
    ],
  }));
  const content: ContentBlock[] = labelCalls(calls);
  if (note) content.push(toText(note));
  if (content.length === 0) content.push(toText(EMPTY));
  const placeholder = note === undefined && blocks.every(({ length }) => length === 0);
  const userOnly = placeholder && isShown && isForUserInPart(source);
  return { content, isError, placeholder, userOnly };
}

/** The name that models use for the tool of a call; its id if the host has no such tool by now. */
export function modelNameOf(
  { server, tool }: Pick<Hop, "server" | "tool">,
  tools: readonly NamedTool[],
): string {
  const found = tools.find((one) => one.server === server && one.name === tool);
  return found?.modelName ?? `${server}.${tool}`;
}

function changesOf(source: CallToolResult | Hop): ContentBlock[] {
  const text = isHopOf(source) ? changeText(source) : undefined;
  return text === undefined ? [] : [toText(text)];
}

/** The line for a model that has nothing to read of a call. */
function placeholderOf(source: CallToolResult | Hop, isShown: boolean): ContentBlock {
  if (!isForUserInPart(source)) return toText(EMPTY);
  const { isError } = isHopOf(source) ? source.result : source;
  const what = isError === true ? "The tool reported an error, which" : "The result";
  return toText(`${what} ${isShown ? "was shown to the user" : "is for the user alone"}.`);
}

/** True if a source contains something that only a user can be shown. */
export function isForUserInPart(source: ResultSource): boolean {
  if ("hops" in source) return source.hops.some(isForUserInPart);
  const [isDeclared, result] = isHopOf(source) ? [source.isWidget, source.result] : [false, source];
  if (isDeclared || isWidget(result)) return true;
  return result.content.some((block) => isForUser(block) && !isForModel(block));
}

/** The raw results of a source, in order. */
export function resultsOf(source: ResultSource): readonly CallToolResult[] {
  if ("hops" in source) return source.hops.map((hop) => hop.result);
  return [isHopOf(source) ? source.result : source];
}

function isHopOf(source: CallToolResult | Hop): source is Hop {
  return "result" in source && "callId" in source;
}

/** Composes the parts of a call that a model reads: for an invalid output one line of our own, unless the host shows such output. */
function hopBlocks(source: CallToolResult | Hop): ContentBlock[] {
  if (!isHopOf(source)) return visibleBlocks(source);
  const { result, output } = source;
  if (output.status !== "invalid") return visibleBlocks(result);
  const id = `${source.server}.${source.tool}`;
  if (isLeftOut(source))
    return [toText(`${id} was called, but its output is invalid and left out.`)];
  return [toText(`The following output of ${id} is invalid.`), ...visibleBlocks(result)];
}

function toText(text: string): ContentBlock {
  return { type: "text", text };
}

export function isForUser(block: ContentBlock): boolean {
  return isFor("user", block);
}

/** True if models may read this block. */
export function isForModel(block: ContentBlock): boolean {
  return isFor("assistant", block);
}

/** True if there is content and none of it is for the model: then `structuredContent` is not either. */
export function isForUserAlone({ content }: CallToolResult): boolean {
  return content.length > 0 && !content.some(isForModel);
}

/** No audience means everyone. */
function isFor(audience: Audience, { annotations }: ContentBlock): boolean {
  return annotations?.audience == null || [annotations.audience].flat().includes(audience);
}

/** The blocks that a model reads of a result, without repetition, and without blank texts: some providers refuse them. */
export function visibleBlocks(result: CallToolResult): ContentBlock[] {
  const said = result.content.filter((block) => isForModel(block) && !isBlank(block));
  const blocks = said.map((block) => {
    const plain = plainBlock(block);
    return isForUser(block) ? plain : { ...plain, annotations: FOR_MODEL };
  });
  const { structuredContent } = result;
  if (structuredContent === undefined || isForUserAlone(result)) return blocks;
  return readOnce(blocks, { value: structuredContent, content: result.content });
}

function isBlank({ type, text }: ContentBlock): boolean {
  return type === "text" && (text ?? "").trim() === "";
}

function noteOn({ ended, error }: ChainResult): string | undefined {
  if (ended === "complete" || ended === "invalid-output") return undefined;
  return `The chain of tool calls ended early (${ended}). ${error?.message ?? ""}`.trim();
}

/** True if there are results since the model's last turn, one for each call, and all were for the user alone. */
export function allForUser(results: readonly Partial<Pick<ModelView, "userOnly">>[]): boolean {
  return results.length > 0 && results.every(({ userOnly }) => userOnly === true);
}
