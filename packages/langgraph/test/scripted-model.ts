import { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { AIMessage, type BaseMessage } from "@langchain/core/messages";
import type { ToolCall } from "@langchain/core/messages/tool";
import { convertToOpenAITool } from "@langchain/core/utils/function_calling";

/** What the model says in one turn. */
export type ModelTurn = string | readonly ToolCall[];

/** A chat model that says what its script says, turn by turn, and keeps what it read. */
export class ScriptedModel extends BaseChatModel {
  readonly read: BaseMessage[][] = [];
  /** The tools as they went to the provider at the last binding, in OpenAI's form. */
  bound: readonly unknown[] = [];
  private readonly script: readonly ModelTurn[];

  constructor(...script: ModelTurn[]) {
    super({});
    this.script = script;
  }

  override _llmType(): string {
    return "scripted";
  }

  override bindTools(tools: Parameters<typeof convertToOpenAITool>[0][]): this {
    this.bound = tools.map((tool) => convertToOpenAITool(tool));
    return this;
  }

  override async _generate(messages: BaseMessage[]) {
    const turn = this.script[Math.min(this.read.length, this.script.length - 1)] ?? "";
    this.read.push(messages);
    const message =
      typeof turn === "string"
        ? new AIMessage({ content: turn })
        : new AIMessage({ content: "", tool_calls: [...turn] });
    return { generations: [{ text: message.text, message }] };
  }
}

/** A tool call of a model. */
export function calling(name: string, args: Record<string, unknown> = {}, id = "c1"): ToolCall {
  return { name, args, id, type: "tool_call" };
}
