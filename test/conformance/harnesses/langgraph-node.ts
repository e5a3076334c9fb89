import { END, MessagesAnnotation, START, StateGraph } from "@langchain/langgraph";
import { ToolNode, toolsCondition } from "@langchain/langgraph/prebuilt";
import { chainNode, chainState, createTools } from "@toolrail/langgraph";
import { createGraphHarness } from "../langgraph-harness.ts";

/** Each hop a turn of a graph built by hand. */
export const harness = createGraphHarness(
  "langgraph: chainNode",
  ({ host, model, checkpointer }) => {
    const ask = async ({ messages }: typeof MessagesAnnotation.State) => ({
      messages: await model.invoke(messages),
    });
    const graph = new StateGraph(chainState(MessagesAnnotation))
      .addNode("agent", chainNode(host, ask))
      .addNode("tools", new ToolNode(createTools(host, { appOnly: true })))
      .addEdge(START, "agent")
      .addConditionalEdges("agent", toolsCondition, ["tools", END])
      .addEdge("tools", "agent")
      .compile({ checkpointer });
    return (input, config) => graph.invoke(input, config);
  },
);
