import { type BaseMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import { type ModelTurn, ScriptedModel } from "../../../packages/langgraph/test/scripted-model.ts";

/** What was said since the user's last question. */
export function sinceQuestion(messages: readonly BaseMessage[]): readonly BaseMessage[] {
  return messages.slice(messages.findLastIndex(HumanMessage.isInstance) + 1);
}

/** A model that says this to a question and then is done, in whatever process it is asked. Notes what it read. */
export function scriptModel(turn: ModelTurn, read: BaseMessage[][]): ScriptedModel {
  const [first, last] = [new ScriptedModel(turn), new ScriptedModel("done")];
  return Object.assign(new ScriptedModel(), {
    _generate(messages: BaseMessage[]) {
      read.push(messages);
      return (sinceQuestion(messages).some(ToolMessage.isInstance) ? last : first)._generate(
        messages,
      );
    },
  });
}
