import { AIMessage, type BaseMessage, ToolMessage } from "@langchain/core/messages";
import { type Host, isJsonObject } from "@toolrail/core";
import type { DecidedHop, DecidedHops } from "./hop-channel.ts";
import { artifactOf } from "./tool-message.ts";

/** In `response_metadata`: the message is ours, and which call of the model each of its hops goes back to. */
const METADATA = "toolrail";

interface HopMetadata {
  /** By the id of the hop's tool call: the model's tool call that its chain began with. */
  readonly hops?: Readonly<Record<string, string>>;
  /** Ends a run in which everything was for the user alone. */
  readonly shown?: true;
}

/**
 * The decided hops that follow from the tool results since the model spoke, in their order. Those that
 * have a result already, as where a person rejected one of several, are not among them.
 */
export function pendingHops(messages: readonly BaseMessage[], decided: DecidedHops): DecidedHop[] {
  const results = resultsSinceModel(messages);
  const answered = new Set(results.map(({ tool_call_id }) => tool_call_id));
  const open = Object.values(decided).filter(({ ticket }) => !answered.has(ticket.id));
  return results.flatMap(({ id, tool_call_id }) =>
    open.filter(({ cause }) => cause?.messageId === id && cause?.toolCallId === tool_call_id),
  );
}

/** The turn that makes these hops: a message as if of the model, which no model was asked for. */
export function toHopMessage(host: Host, hops: readonly DecidedHop[]): AIMessage {
  const tickets = hops.map(({ ticket }) => ticket);
  const metadata: HopMetadata = {
    hops: Object.fromEntries(tickets.map(({ id, root }) => [id, root])),
  };
  return new AIMessage({
    id: `turn-${host.newId()}`,
    content: "",
    tool_calls: tickets.map(({ id, call }) => ({
      type: "tool_call",
      id,
      name: modelNameOf(host, call),
      args: { ...call.arguments },
    })),
    response_metadata: { [METADATA]: metadata },
  });
}

/** The name that models use; the tool's own where it is gone by now, so that the graph says so. */
function modelNameOf({ tools }: Host, { server, tool }: DecidedHop["ticket"]["call"]): string {
  return tools.find((one) => one.server === server && one.name === tool)?.modelName ?? tool;
}

/** The turn that ends a run in which the user was shown everything. Models never read it. */
export function toShownMessage(): AIMessage {
  const metadata: HopMetadata = { shown: true };
  return new AIMessage({ content: "", response_metadata: { [METADATA]: metadata } });
}

/** True for a turn that Toolrail wrote and no model: its tool calls are hops. */
export function isHopMessage(message: BaseMessage): boolean {
  return metadataOf(message) !== undefined;
}

/**
 * True where all tool results since the model spoke were for the user alone. A conditional edge after
 * the tools may end the run on it, and so do `chainMiddleware` and `chainNode` with `endWhenShown`.
 */
export function shownToUser(messages: readonly BaseMessage[]): boolean {
  const results = resultsSinceModel(messages);
  return results.length > 0 && results.every((result) => artifactOf(result)?.userOnly === true);
}

/** The model's own call that each hop of this turn goes back to, by the id of the hop's call. */
export function rootsIn(message: BaseMessage): Readonly<Record<string, string>> {
  return metadataOf(message)?.hops ?? {};
}

function metadataOf(message: BaseMessage): HopMetadata | undefined {
  const metadata: unknown = AIMessage.isInstance(message) && message.response_metadata?.[METADATA];
  return isJsonObject(metadata) ? metadata : undefined;
}

/** The tool results at the end of the messages, of the model's calls and of the hops after them. */
function resultsSinceModel(messages: readonly BaseMessage[]): ToolMessage[] {
  const last = messages.findLastIndex(
    (message) => !(ToolMessage.isInstance(message) || isHopMessage(message)),
  );
  return messages.slice(last + 1).filter((message) => ToolMessage.isInstance(message));
}
