import { AIMessage, type BaseMessage, ToolMessage } from "@langchain/core/messages";
import type { Host } from "@toolrail/core";
import {
  allForUser,
  engineOf,
  foldChains,
  type HistoryEntry,
  invalidOptions,
  labelCalls,
  modelNameOf,
  type OptionTable,
} from "@toolrail/core/adapter";
import { isJsonObject } from "@toolrail/core/json";
import type { DecidedHop, DecidedHops } from "../tools/chain-state.ts";
import { artifactOf, type MessageBlock, toMessageContent } from "../tools/messages.ts";

/** The key in `response_metadata` of a turn that no model wrote. `hops` maps each hop to the first call of its chain. */
const METADATA = "toolrail";

/** Removes the arguments of hops that are for the user alone from a message: those of the `hidden` hops of a turn. */
function coverHops(message: BaseMessage): BaseMessage {
  const { hidden } = Object(message.response_metadata?.[METADATA]);
  if (!AIMessage.isInstance(message) || !Array.isArray(hidden)) return message;
  const { id = "", content, response_metadata, tool_calls: calls = [] } = message;
  const none = { args: {} };
  const tool_calls = calls.map((call) => ({ ...call, ...(hidden.includes(call.id) && none) }));
  return new AIMessage({ id, content, response_metadata, tool_calls });
}

/** Returns true if Toolrail wrote this turn instead of a model. Its tool calls are hops. */
export function isHopMessage(message: BaseMessage): boolean {
  return rootsIn(message) !== undefined;
}

/**
 * Returns true if all tool results since the model's last message were for the user only, and were shown to them. A conditional edge after
 * the tools may then end the run, as `chainMiddleware` and `chainNode` do with `endWhenShown`.
 */
export function shownToUser(messages: readonly BaseMessage[]): boolean {
  if (!Array.isArray(messages)) throw invalidOptions("shownToUser takes the list of messages.");
  const artifacts = resultsSinceModel(messages).map(artifactOf);
  return allForUser(artifacts.map((artifact) => ({ userOnly: artifact?.shown === true })));
}

/** Maps each hop of a turn to the model's call that began its chain. Returns `undefined` for a turn of a model. */
function rootsIn(message: BaseMessage): Readonly<Record<string, string>> | undefined {
  const metadata: unknown = AIMessage.isInstance(message) && message.response_metadata?.[METADATA];
  if (!isJsonObject(metadata)) return undefined;
  return isJsonObject(metadata.hops) ? (metadata.hops as Record<string, string>) : {};
}

/** Lists the tool results since the model's last message. */
function resultsSinceModel(messages: readonly BaseMessage[]): ToolMessage[] {
  const last = messages.findLastIndex(
    (message) => !(ToolMessage.isInstance(message) || isHopMessage(message)),
  );
  return messages.slice(last + 1).filter((message) => ToolMessage.isInstance(message));
}

/**
 * Returns the messages as if each chain had run inside its first call: the results of its hops become part of that
 * call's result, and turns that no model wrote are removed. Some providers require signatures or their own ids, and
 * then read only turns that they wrote. A hop stays a separate turn if its first call is missing, for example because
 * a summary replaced earlier messages. It then has no arguments if they contain content for the user alone.
 */
export function foldHops(messages: readonly BaseMessage[]): BaseMessage[] {
  if (!Array.isArray(messages)) throw invalidOptions("foldHops takes the list of messages.");
  const { roots, chains } = foldChains(messages.flatMap(toEntry));
  return messages.flatMap((message) => {
    if (ToolMessage.isInstance(message)) {
      if (roots.has(message.tool_call_id)) return [];
      const chain = chains.get(message);
      return chain ? joinResults(chain) : message;
    }
    const hops = rootsIn(message);
    return hops && Object.keys(hops).every((id) => roots.has(id)) ? [] : coverHops(message);
  });
}

function toEntry(message: BaseMessage): HistoryEntry<ToolMessage>[] {
  if (ToolMessage.isInstance(message)) {
    return [{ type: "result", id: message.tool_call_id, result: message }];
  }
  const hops = rootsIn(message);
  return hops ? [{ type: "hops", roots: hops }] : [];
}

function joinResults(chain: readonly ToolMessage[]): ToolMessage {
  const [first] = chain as [ToolMessage];
  const found = chain.map(artifactOf);
  const artifacts = found.flatMap((artifact) => artifact ?? []);
  const calls = chain.map((message, at) => ({
    name: message.name ?? "",
    isMade: found[at] && found[at].hops.length > 0,
    parts: toBlocks(message.content),
  }));
  return new ToolMessage({
    ...(first.id !== undefined && { id: first.id }),
    ...(first.name !== undefined && { name: first.name }),
    tool_call_id: first.tool_call_id,
    content: toMessageContent(labelCalls(calls)),
    artifact: { ...artifacts.at(-1), hops: artifacts.flatMap(({ hops }) => hops) },
    status: chain.at(-1)?.status ?? "success",
  });
}

function toBlocks(content: unknown): MessageBlock[] {
  const isText = typeof content === "string";
  return isText ? [{ type: "text", text: content }] : (content as MessageBlock[]);
}

/** The options for chains whose hops are turns of the graph. */
export interface ChainOptions {
  /** If false, the model reads each hop as a separate call and result. Default true: a chain reads as one call. */
  readonly fold?: boolean;
  /** If false, the model is asked even if all results were for the user only. Default true: the run then ends. */
  readonly endWhenShown?: boolean;
}

export const CHAIN_OPTIONS: OptionTable<ChainOptions> = {
  fold: "boolean",
  endWhenShown: "boolean",
};

/** The next action of an agent node: a turn that needs no model, or the messages that its model reads. */
type NextTurn =
  | { readonly turn: AIMessage; readonly hops: readonly DecidedHop[] }
  | { readonly read: BaseMessage[] };

export function nextTurn(
  host: Host,
  {
    messages,
    read = messages,
    decided = {},
    fold = true,
    endWhenShown = true,
  }: ChainOptions & {
    readonly messages: BaseMessage[];
    /** The messages for the model, if other middleware changed them. Default: all messages. */
    readonly read?: BaseMessage[];
    readonly decided?: DecidedHops | undefined;
  },
): NextTurn {
  const hops = pendingHops(messages, decided);
  const isOver = hops.length === 0 && endWhenShown && shownToUser(messages);
  if (hops.length > 0 || isOver) return { turn: toHopMessage(host, hops), hops };
  return { read: fold ? foldHops(read) : read.map(coverHops) };
}

/** Returns the decided hops of the results since the model's last message, in order, without those that have a result. */
function pendingHops(messages: readonly BaseMessage[], decided: DecidedHops): DecidedHop[] {
  const results = resultsSinceModel(messages);
  const answered = new Set(results.map(({ tool_call_id }) => tool_call_id));
  const open = Object.values(decided).filter(({ pending }) => !answered.has(pending.id));
  return results.flatMap(({ id, tool_call_id }) =>
    open.filter(({ cause }) => cause?.messageId === id && cause?.toolCallId === tool_call_id),
  );
}

/** Creates the turn that makes these hops. Without hops it ends the run, and no model reads it. */
function toHopMessage(host: Host, hops: readonly DecidedHop[]): AIMessage {
  const pendingHops = hops.map(({ pending }) => pending);
  const roots = Object.fromEntries(pendingHops.map(({ id, root }) => [id, root]));
  const hidden = pendingHops.filter(({ call }) => call.origin.forUserAlone).map(({ id }) => id);
  return new AIMessage({
    id: `turn-${engineOf(host).newId()}`,
    content: "",
    tool_calls: pendingHops.map(({ id, call }) => ({
      type: "tool_call",
      id,
      name: modelNameOf(call, host.tools),
      args: { ...call.arguments },
    })),
    response_metadata: { [METADATA]: { hops: roots, ...(hidden.length > 0 && { hidden }) } },
  });
}
