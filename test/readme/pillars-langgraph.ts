// The examples of README.md for LangChain, rules and pipes; `code-blocks.test.ts` holds the two together.
import { createHost, type Host } from "@toolrail/core";
import { stdio } from "@toolrail/core/connect";
import { runPipe } from "@toolrail/core/pipe";
import { rules } from "@toolrail/core/rules";
import { chainMiddleware, createTools } from "@toolrail/langgraph";
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
    when: { text: { pattern: "^[^\\n]+[.]json$" } }, // it found exactly one file
    next: { tool: "files.read_text_file", arguments: { path: { $ref: "structured.content" } } },
  };
  const files = stdio("npx", ["-y", "@modelcontextprotocol/server-filesystem", "."]);
  const host = await createHost({ servers: { files }, use: [rules([readFound])] });
  const search = { path: ".", pattern: "package.json", excludePatterns: ["node_modules"] };
  const { hops } = await host.run({ tool: "files.search_files", arguments: search });
  console.log(hops.map(({ tool }) => tool)); // search_files, and read_text_file at once
  await host.close();
  return hops;
}

export async function aPipe() {
  const files = stdio("npx", ["-y", "@modelcontextprotocol/server-filesystem", "."]);
  const host = await createHost({ servers: { files } });
  const search = { path: ".", pattern: "package.json", excludePatterns: ["node_modules"] };
  const steps = [
    { id: "found", tool: "files.search_files", args: search },
    { id: "file", tool: "files.read_text_file", args: { path: "${steps.found.text}", head: 3 } },
  ];
  const pipe = await runPipe(host, { spec: { steps, return: "${steps.file.text}" } });
  console.log(pipe.ok ? pipe.result : pipe.error);
  await host.close();
  return pipe;
}
