import { createOptionCheck } from "../check-options.ts";
import { invalidOptions } from "../errors.ts";
import { isJsonObject } from "../json/json.ts";
import {
  type CallToolResult,
  type ContentBlock,
  isForModel,
  isForUser,
  isForUserAlone,
  plainBlock,
} from "./call-tool-result.ts";
import { type ChainResult, changeText, type Hop, isWidget } from "./hop.ts";
import { readOnce } from "./read-once.ts";

/** The source of a view: a raw result, one call, or a chain. */
export type ResultSource = CallToolResult | Hop | ChainResult;

/** The content of a result for a model. It never contains `_meta`. */
export interface ModelView {
  /**
   * The blocks in order, with the members that MCP defines for their type. A block for the assistant alone keeps its
   * audience. Never empty: see `placeholder`.
   */
  readonly content: readonly ContentBlock[];
  /** True if the last result is an error, or the chain ended early. */
  readonly isError: boolean;
  /** True if there is nothing for the model to read, and `content` is one fixed line for each call. */
  readonly placeholder: boolean;
  /** True if the user was shown content and there is none for the model, so the run may end here. */
  readonly userOnly: boolean;
}

interface NamedTool {
  readonly server: string;
  readonly name: string;
  readonly modelName: string;
}

/** The options of `modelView`. */
interface ViewOptions {
  /** False if the user is shown nothing, so that no placeholder claims it. Default true. */
  readonly isShown?: boolean;
  /** The tools of the host (`host.tools`), for the names that models know. Default: each call is named `server.tool`. */
  readonly tools?: readonly NamedTool[];
}

const checkOptions = /* @__PURE__ */ createOptionCheck<ViewOptions>("modelView", {
  isShown: "boolean",
  tools: "list",
});

const FOR_MODEL = { audience: ["assistant"] } as const;
const NO_RESULT =
  "This is not a result, a hop or a chain: pass what `await host.run(...)` returns, not its promise.";
const EMPTY = "The tool answered without content.";

/**
 * Returns the content of a result for a model. `annotations.audience` (MCP 2025-11-25) decides: a block without it is for
 * the model and the user. `structuredContent` is added as JSON text, unless the visible blocks contain it already or every
 * block is for the user alone. A sentence names the arguments if a person changed them, and another one says that the call was
 * made before. A widget has no content for the model, and a tool with a view only its text: see `isWidget` and `hasView` of a
 * hop. If a chain has several calls, the result of each follows the name of its tool.
 */
export function modelView(source: ResultSource, options: ViewOptions = {}): ModelView {
  checkOptions(options);
  const { isShown = true, tools = [] } = options;
  const answers = answersOf(source);
  const isEarly = "ended" in source && source.ended !== "complete";
  const note = isEarly ? describeEnd(source) : undefined;
  let placeholder = note === undefined;
  const calls = answers.map((answer) => {
    const { hop } = answer;
    const parts = blocksOf(answer);
    if (parts.length > 0) placeholder = false;
    else parts.push(fillPlaceholder(answer, isShown));
    if (hop?.changedFrom || hop?.madeBefore) parts.unshift(...notesOn(hop).map(toText));
    const name = hop && answers.length > 1 ? modelNameOf(hop, tools) : "";
    return { name, isMade: true, parts };
  });
  const content = calls.length > 1 ? labelCalls(calls) : (calls[0]?.parts ?? []);
  if (note) content.push(toText(note));
  if (content.length === 0) content.push(toText(EMPTY));
  const last = answers.at(-1);
  const isBad = last?.result.isError === true || last?.hop?.output.status === "invalid";
  const userOnly = placeholder && isShown && answers.some(isAnswerForUser);
  return { content, isError: isBad || isEarly, placeholder, userOnly };
}

/** Returns what a model should know about a call besides its result. */
function notesOn(hop: Hop): string[] {
  const notes = [changeText(hop), hop.madeBefore && MADE_BEFORE];
  return notes.filter((note) => note !== undefined);
}

const MADE_BEFORE =
  "This call was made before. This is its earlier result; nothing was called again.";

/** Returns the name that models use for the tool of a call, or its id if the host no longer has the tool. */
export function modelNameOf(
  { server, tool }: Pick<Hop, "server" | "tool">,
  tools: readonly NamedTool[],
): string {
  const found = tools.find((one) => one.server === server && one.name === tool);
  return found?.modelName ?? `${server}.${tool}`;
}

/** A result of a source, with its hop if it is known. */
interface Answer {
  readonly result: CallToolResult;
  readonly hop?: Hop;
}

function answersOf(source: ResultSource): readonly Answer[] {
  if (!isJsonObject(source as unknown)) throw invalidOptions(NO_RESULT);
  if ("hops" in source) return source.hops.map((hop) => ({ hop, result: hop.result }));
  const isHop = "result" in source && "callId" in source;
  const result = isHop ? source.result : source;
  if (!Array.isArray(result?.content)) throw invalidOptions(NO_RESULT);
  return isHop ? [{ hop: source, result }] : [{ result }];
}

/** Returns the line that a model reads if a call has no content for it. */
function fillPlaceholder(answer: Answer, isShown: boolean): ContentBlock {
  if (!isAnswerForUser(answer)) return toText(EMPTY);
  const what = answer.result.isError === true ? "The tool reported an error, which" : "The result";
  return toText(`${what} ${isShown ? "was shown to the user" : "is for the user alone"}.`);
}

/** Returns true if a source contains something that only the user may see. */
export function isForUserInPart(source: ResultSource): boolean {
  return answersOf(source).some(isAnswerForUser);
}

function isAnswerForUser({ hop, result }: Answer): boolean {
  if (hop?.isWidget || isWidget(result)) return true;
  return result.content.some((block) => isForUser(block) && !isForModel(block));
}

/** Returns the blocks of a call for a model. One line replaces an invalid output. */
function blocksOf({ hop, result }: Answer): ContentBlock[] {
  if (hop?.output.status === "invalid") {
    const id = `${hop.server}.${hop.tool}`;
    return [toText(`${id} was called, but its output is invalid and left out.`)];
  }
  if (hop?.hasView) {
    const blocks = visibleBlocks({ ...result, structuredContent: undefined });
    if (blocks.some(({ type }) => type === "text")) return blocks;
  }
  return visibleBlocks(result);
}

function toText(text: string): ContentBlock {
  return { type: "text", text };
}

/** Returns the blocks that a model reads, without repetition. Some providers refuse blank texts, so these are left out. */
export function visibleBlocks(result: CallToolResult): ContentBlock[] {
  const { content, structuredContent } = result;
  const blocks: ContentBlock[] = [];
  for (const block of content) {
    const isBlank = block.type === "text" && !block.text?.trim();
    if (isBlank || !isForModel(block)) continue;
    const plain = plainBlock(block);
    blocks.push(isForUser(block) ? plain : { ...plain, annotations: FOR_MODEL });
  }
  if (structuredContent === undefined || isForUserAlone(result)) return blocks;
  return readOnce(blocks, { value: structuredContent, content });
}

function describeEnd({ ended, error, hops, pending }: ChainResult): string | undefined {
  if (ended === "invalid-output") return undefined;
  if (hops.length === 0 && pending?.origin.by !== "chain")
    return error?.message ?? `The call was not made (${ended}).`;
  return `The chain of tool calls ended early (${ended}). ${error?.message ?? ""}`.trim();
}

/** Returns true if there are results since the model's last turn, one for each call, and all are for the user alone. */
export function allForUser(results: readonly Partial<Pick<ModelView, "userOnly">>[]): boolean {
  return results.length > 0 && results.every(({ userOnly }) => userOnly === true);
}

/** The content of a result for the user. */
export interface UserView {
  /** All blocks for the user, in order, including annotations. */
  readonly content: readonly ContentBlock[];
  /** The blocks that the model does not read, and so cannot repeat. Show them word for word. */
  readonly verbatim: readonly ContentBlock[];
}

/**
 * Returns the content of a result for the user. `annotations.audience` (MCP 2025-11-25) decides: a block without it is for
 * the model and the user.
 */
export function userView(source: ResultSource): UserView {
  const content = answersOf(source).flatMap(({ result }) => result.content.filter(isForUser));
  return { content, verbatim: content.filter((block) => !isForModel(block)) };
}

/** One of several calls whose results a model reads as one. */
export interface CallToLabel<Part> {
  /** The name of the tool for models. */
  readonly name: string;
  /** False if the call was not made, which its parts explain. `undefined` if this is unknown. */
  readonly isMade: boolean | undefined;
  readonly parts: readonly Part[];
}

interface Label {
  readonly type: "text";
  readonly text: string;
}

/** Joins the parts of calls for a model, each after the name of its tool, unless only one call has a result. */
export function labelCalls<Part>(calls: readonly CallToLabel<Part>[]): (Part | Label)[] {
  const answered = calls.filter(({ isMade }) => isMade !== false);
  const labelled: (Part | Label)[] = [];
  for (const call of calls) {
    const { name, isMade, parts } = call;
    if (answered.length > 1 && isMade !== false) {
      const isFurther = isMade && call !== answered[0];
      labelled.push({ type: "text", text: isFurther ? `Then ${name} was called:` : `${name}:` });
    }
    for (const part of parts) labelled.push(part);
  }
  return labelled;
}
