import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";

export interface BenchTool {
  readonly definition?: object;
  readonly answer: (args: Readonly<Record<string, unknown>>) => object;
}

const object = (properties: object) => {
  return { type: "object", properties, required: Object.keys(properties) };
};

export const ACCOUNT = object({ id: { type: "string" }, balance: { type: "number" } });

/** A tool that answers with one small record. */
export function accountTool(definition: object = {}): BenchTool {
  const structuredContent = { id: "acc-1", balance: 12.5 };
  const content = [{ type: "text", text: JSON.stringify(structuredContent) }];
  return {
    definition: { inputSchema: ACCOUNT, outputSchema: ACCOUNT, ...definition },
    answer: () => ({ content, structuredContent }),
  };
}

const pages = new Map<number, object>();

/** A text of so many characters, as most servers in Python send one: as text, and as the one field of a record. */
function pageOf(length: number): object {
  const kept = pages.get(length);
  if (kept) return kept;
  const text = "Bridges, mills and schools were built along the river. ".repeat(length / 50);
  const result = text.slice(0, length);
  const page = { content: [{ type: "text", text: result }], structuredContent: { result } };
  pages.set(length, page);
  return page;
}

/** Asks for the next call until none is left; `audience` says who reads it. */
function hopTool(name: string, annotations: object): BenchTool {
  return {
    definition: { inputSchema: object({ left: { type: "number" } }) },
    answer: ({ left }) => {
      const next = Number(left) - 1;
      const text = next === 0 ? "All is done." : `Call ${name} with left = ${next}.`;
      const nextTool = { tool: name, arguments: { left: next } };
      const _meta = next === 0 ? {} : { nextTool };
      return { content: [{ type: "text", text, annotations }], _meta };
    },
  };
}

/** What the servers of the benchmark offer, in this process or in another. */
export const TOOLS = {
  account: accountTool(),
  page: {
    definition: {
      inputSchema: object({ length: { type: "number" } }),
      outputSchema: object({ result: { type: "string" } }),
    },
    answer: ({ length }) => pageOf(Number(length)),
  },
  hop: hopTool("hop", {}),
  hop_shown: hopTool("hop_shown", { audience: ["user"] }),
  echo: { answer: (args) => ({ content: [], structuredContent: args }) },
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
