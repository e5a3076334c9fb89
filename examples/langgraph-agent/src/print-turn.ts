import { AIMessage, type BaseMessage, HumanMessage, ToolMessage } from "@langchain/core/messages";
import { userView } from "@toolrail/core";
import { artifactOf, isHopMessage } from "@toolrail/langgraph";

/** Prints the last turn of a conversation: the hops, what the user was shown, and the model's calls. */
export function printTurn(messages: readonly BaseMessage[]): void {
  const turn = messages.slice(
    messages.findLastIndex((message) => HumanMessage.isInstance(message)),
  );
  print(`\ncustomer  ${turn[0]?.text}`);
  for (const message of turn) {
    if (!ToolMessage.isInstance(message)) continue;
    for (const hop of artifactOf(message)?.hops ?? []) {
      print(`  ${hop.origin.by.padEnd(8)}${hop.tool}`);
      // No model can relay the content for the user alone.
      for (const { text } of userView(hop).verbatim) print(`  shown   ${text}`);
    }
  }
  const modelTurns = turn.filter(
    (message) => AIMessage.isInstance(message) && !isHopMessage(message),
  );
  print(`assistant ${turn.at(-1)?.text}`);
  print(`model calls: ${modelTurns.length}`);
}

export function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
