import { type BaseMessage, ToolMessage } from "@langchain/core/messages";
import { type ModelTurn, ScriptedModel } from "../../../packages/langgraph/test/scripted-model.ts";

/** A model that says this first and then is done, in whatever process it is asked. Notes what it read. */
export function scriptModel(turn: ModelTurn, read: BaseMessage[][]): ScriptedModel {
  const [first, last] = [new ScriptedModel(turn), new ScriptedModel("done")];
  return Object.assign(new ScriptedModel(), {
    _generate(messages: BaseMessage[]) {
      read.push(messages);
      return (messages.some(ToolMessage.isInstance) ? last : first)._generate(messages);
    },
  });
}
