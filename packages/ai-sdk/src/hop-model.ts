import type { ProviderOptions } from "./sdk-types.ts";
import { createSilentModel, type SilentModel } from "./silent-model.ts";

/** A tool call that is made without asking a model. */
export interface HopCall {
  readonly toolCallId: string;
  readonly toolName: string;
  readonly input: unknown;
  readonly providerMetadata: ProviderOptions;
}

interface ToolCallPart {
  type: "tool-call";
  toolCallId: string;
  toolName: string;
  /** JSON text. */
  input: string;
  providerMetadata: ProviderOptions;
}

type StreamPart =
  | { type: "tool-input-start"; id: string; toolName: string }
  | { type: "tool-input-delta"; id: string; delta: string }
  | { type: "tool-input-end"; id: string }
  | ToolCallPart;

/** The model of a step that is a hop. */
export type HopModel = SilentModel<ToolCallPart, StreamPart>;

/**
 * A model that answers with these calls, so that each hop is a step of the SDK like any other; or one
 * that ends the run, where there are none.
 */
export function createHopModel(calls: readonly HopCall[]): HopModel {
  const content = calls.map(toPart);
  // Not "stop": the SDK would read an empty answer as the object that `output` asks for.
  const finish = content.length > 0 ? "tool-calls" : "other";
  return createSilentModel({
    modelId: "chain",
    content,
    parts: content.flatMap(toStreamParts),
    finish,
  });
}

function toPart({ toolCallId, toolName, input, providerMetadata }: HopCall): ToolCallPart {
  const text = JSON.stringify(input);
  return { type: "tool-call", toolCallId, toolName, input: text, providerMetadata };
}

function toStreamParts(part: ToolCallPart): StreamPart[] {
  const { toolCallId: id, toolName, input: delta } = part;
  return [
    { type: "tool-input-start", id, toolName },
    { type: "tool-input-delta", id, delta },
    { type: "tool-input-end", id },
    part,
  ];
}
