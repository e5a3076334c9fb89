import { setTimeout } from "node:timers/promises";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { newText } from "./new-text.ts";

export interface BenchTool {
  readonly definition?: object;
  readonly answer: (args: Readonly<Record<string, unknown>>) => object | Promise<object>;
}

const object = (properties: object) => {
  return { type: "object", properties, required: Object.keys(properties) };
};

export const ACCOUNT = object({ id: { type: "string" }, balance: { type: "number" } });

/** Answers with a new text of so many characters; most servers in Python send it again as the one field of a record. */
function pageTool({ isStructured }: { readonly isStructured: boolean }): BenchTool {
  const inputSchema = object({ length: { type: "number" } });
  const outputSchema = object({ result: { type: "string" } });
  return {
    definition: { inputSchema, ...(isStructured && { outputSchema }) },
    answer({ length }) {
      const result = newText(Number(length));
      const content = [{ type: "text", text: result }];
      return { content, ...(isStructured && { structuredContent: { result } }) };
    },
  };
}

/** Asks for the next call until none is left; `audience` says who reads it. */
function hopTool(name: string, annotations: object): BenchTool {
  return {
    definition: { inputSchema: object({ left: { type: "number" } }) },
    answer: ({ left }) => {
      const next = Number(left) - 1;
      const asks = next === 0 ? "All is done." : `Call ${name} with left = ${next}.`;
      const text = `${newText(20)} ${asks}`;
      const nextTool = { tool: name, arguments: { left: next } };
      const _meta = next === 0 ? {} : { nextTool };
      return { content: [{ type: "text", text, annotations }], _meta };
    },
  };
}

/** What the servers of the benchmark offer, in this process or in another. */
export const TOOLS = {
  page: pageTool({ isStructured: false }),
  record: pageTool({ isStructured: true }),
  say: {
    definition: { inputSchema: object({ text: { type: "string" } }) },
    answer: ({ text }) => ({ content: [{ type: "text", text }] }),
  },
  hop: hopTool("hop", {}),
  hop_shown: hopTool("hop_shown", { audience: ["user"] }),
  echo: {
    answer: (args) => ({ content: [], structuredContent: { ...args, text: newText(1_000) } }),
  },
  work: {
    async answer({ ms }) {
      await setTimeout(Number(ms));
      return { content: [{ type: "text", text: newText(20) }] };
    },
  },
} satisfies Record<string, BenchTool>;

export function newServer(tools: Readonly<Record<string, BenchTool>>): Server {
  const server = new Server({ name: "bench", version: "1" }, { capabilities: { tools: {} } });
  const list = Object.entries(tools).map(([name, { definition }]) => {
    return { name, inputSchema: { type: "object" }, ...definition };
  });
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: list }) as never);
  server.setRequestHandler(CallToolRequestSchema, ({ params }) => {
    return tools[params.name]?.answer(params.arguments ?? {}) as never;
  });
  return server;
}
