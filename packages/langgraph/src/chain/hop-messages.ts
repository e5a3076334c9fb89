import { AIMessage, type BaseMessage, ToolMessage } from "@langchain/core/messages";
import type { Host } from "@toolrail/core";
import { allForUser, engineOf, modelNameOf } from "@toolrail/core/adapter";
import { isJsonObject } from "@toolrail/json";
import type { DecidedHop, DecidedHops } from "../tools/chain-state.ts";
import { artifactOf, viewOf } from "../tools/tool-artifact.ts";

/** In `response_metadata` of what no model wrote: `hops` names the call that the chain of each hop began with. */
const METADATA = "toolrail";

/** The decided hops that follow from the results since the model spoke, in order, but for those that have a result. */
export function pendingHops(messages: readonly BaseMessage[], decided: DecidedHops): DecidedHop[] {
  const results = resultsSinceModel(messages);
  const answered = new Set(results.map(({ tool_call_id }) => tool_call_id));
  const open = Object.values(decided).filter(({ pending }) => !answered.has(pending.id));
  return results.flatMap(({ id, tool_call_id }) =>
    open.filter(({ cause }) => cause?.messageId === id && cause?.toolCallId === tool_call_id),
  );
}

/** The turn that makes these hops, as if of the model; without hops it ends the run, and no model reads it. */
export function toHopMessage(host: Host, hops: readonly DecidedHop[]): AIMessage {
  const pendingHops = hops.map(({ pending }) => pending);
  const roots = Object.fromEntries(pendingHops.map(({ id, root }) => [id, root]));
  return new AIMessage({
    id: `turn-${engineOf(host).newId()}`,
    content: "",
    tool_calls: pendingHops.map(({ id, call }) => ({
      type: "tool_call",
      id,
      name: modelNameOf(call, host.tools),
      args: { ...call.arguments },
    })),
    response_metadata: { [METADATA]: { hops: roots } },
  });
}

/** True for a turn that Toolrail wrote and no model: its tool calls are hops. */
export function isHopMessage(message: BaseMessage): boolean {
  return rootsIn(message) !== undefined;
}

/**
 * True where all tool results since the model spoke were for the user alone. A conditional edge after
 * the tools may end the run on it, and so do `chainMiddleware` and `chainNode` with `endWhenShown`.
 */
export function shownToUser(messages: readonly BaseMessage[]): boolean {
  const artifacts = resultsSinceModel(messages).map(artifactOf);
  return allForUser(artifacts.map((artifact) => (artifact ? viewOf(artifact) : {})));
}

/** The model's own call that each hop of this turn goes back to; `undefined` for a turn of a model. */
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
