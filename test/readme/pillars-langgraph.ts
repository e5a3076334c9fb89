// The examples of README.md for LangChain, LangGraph.js and rules; `code-blocks.test.ts` holds the two together.
import { Annotation, type BaseCheckpointSaver, END, START, StateGraph } from "@langchain/langgraph";
import { createHost, type Host } from "@toolrail/core";
import { stdio } from "@toolrail/core/connect";
import { rules } from "@toolrail/core/rules";
import { chainMiddleware, createTools } from "@toolrail/langgraph";
import { compilePipe } from "@toolrail/langgraph/pipe";
import { createAgent } from "langchain";

type ChatModel = Parameters<typeof createAgent>[0]["model"];

export function anAgent(host: Host, model: ChatModel) {
  const middleware = [chainMiddleware(host)];
  const agent = createAgent({ model, tools: createTools(host), middleware });
  return agent;
}

export async function aRule() {
  const readFound = {
    after: "files.search_files",
    when: { text: { pattern: "^[^\\n]+[.]md$" } }, // it found one file
    next: { tool: "files.read_text_file", arguments: { path: { $ref: "structured.content" } } },
  };
  const files = stdio("npx", ["-y", "@modelcontextprotocol/server-filesystem", "."]);
  const host = await createHost({ servers: { files }, use: [rules([readFound])] });
  const search = { tool: "files.search_files", arguments: { path: "docs", pattern: "rules.md" } };
  const { hops } = await host.run(search); // search_files, then read_text_file
  await host.close();
  return hops;
}

interface Given {
  readonly checkpointer: BaseCheckpointSaver;
  write(result: unknown): object;
}

export function aPipe(host: Host, { checkpointer, write }: Given) {
  const page = (n: number) => {
    const url = { $ref: `steps.search.structured.urls.${n}` };
    return { id: `page${n}`, tool: "web.fetch", args: { url } };
  };
  const spec = {
    vars: { topic: "" },
    steps: [
      { id: "search", tool: "web.search", args: { query: "${vars.topic}" } },
      { id: "read", parallel: [page(0), page(1)] },
    ],
    return: ["${steps.read.children.page0.text}", "${steps.read.children.page1.text}"],
  };
  const state = Annotation.Root({ vars: Annotation<object>, result: Annotation<unknown> });
  const graph = new StateGraph(state)
    .addNode("research", compilePipe(host, { spec })) // a subgraph: a node for each step
    .addNode("write", ({ result }) => write(result))
    .addEdge(START, "research")
    .addEdge("research", "write")
    .addEdge("write", END)
    .compile({ checkpointer });
  return graph;
}
