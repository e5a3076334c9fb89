import { AIMessage, type BaseMessage, ToolMessage } from "@langchain/core/messages";
import type { Host } from "@toolrail/core";
import { allForUser, engineOf, invalidOptions, modelNameOf } from "@toolrail/core/adapter";
import { isJsonObject } from "@toolrail/core/json";
import type { DecidedHop, DecidedHops } from "../tools/chain-state.ts";
import { artifactOf } from "../tools/tool-artifact.ts";

/** The key in `response_metadata` of a turn that no model wrote. `hops` maps each hop to the first call of its chain. */
const METADATA = "toolrail";

/** Returns the decided hops of the results since the model's last message, in order, without those that have a result. */
export function pendingHops(messages: readonly BaseMessage[], decided: DecidedHops): DecidedHop[] {
  const results = resultsSinceModel(messages);
  const answered = new Set(results.map(({ tool_call_id }) => tool_call_id));
  const open = Object.values(decided).filter(({ pending }) => !answered.has(pending.id));
  return results.flatMap(({ id, tool_call_id }) =>
    open.filter(({ cause }) => cause?.messageId === id && cause?.toolCallId === tool_call_id),
  );
}

/** Creates the turn that makes these hops. Without hops it ends the run, and no model reads it. */
export function toHopMessage(host: Host, hops: readonly DecidedHop[]): AIMessage {
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

/** Removes the arguments of hops that are for the user alone from a message: those of the `hidden` hops of a turn. */
export function coverHops(message: BaseMessage): BaseMessage {
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
export function rootsIn(message: BaseMessage): Readonly<Record<string, string>> | undefined {
  const metadata: unknown = AIMessage.isInstance(message) && message.response_metadata?.[METADATA];
  if (!isJsonObject(metadata)) return undefined;
  return isJsonObject(metadata.hops) ? (metadata.hops as Record<string, string>) : {};
}

function resultsSinceModel(messages: readonly BaseMessage[]): ToolMessage[] {
  const last = messages.findLastIndex(
    (message) => !(ToolMessage.isInstance(message) || isHopMessage(message)),
  );
  return messages.slice(last + 1).filter((message) => ToolMessage.isInstance(message));
}
