import { ToolrailError } from "@toolrail/core";
import { compilePipe } from "@toolrail/langgraph/pipe";
import { registerMcpPipe } from "@toolrail/server/pipe";
import {
  createTestServer,
  type TestServer,
  type TestTool,
} from "../../packages/core/test/servers.ts";
import { frameworks } from "./frameworks.ts";
import { objectOf, open, structured, text } from "./servers.ts";

const STRING = { type: "string" };

/** The three tools of the pipes: every page of this web has as its content the URL it was fetched by. */
export function createWeb(): Record<string, TestTool> {
  return {
    web_search: {
      definition: {
        description: "Searches the web.",
        inputSchema: objectOf({ query: STRING }),
        outputSchema: { type: "object", properties: { results: { type: "array" } } },
      },
      answer: ({ arguments: { query } }) => structured({ results: [{ url: `https://${query}` }] }),
    },
    web_fetch: {
      definition: {
        description: "Fetches a page.",
        inputSchema: objectOf({ url: STRING }),
        outputSchema: objectOf({ content: STRING }),
      },
      answer: ({ arguments: { url } }) => structured({ content: `page of ${url}` }),
    },
    extract_key_info: {
      definition: {
        description: "Extracts what matters.",
        inputSchema: objectOf({ query: STRING, materials: STRING }),
        outputSchema: { type: "object", properties: { contexts: { type: "array" } } },
      },
      answer: ({ arguments: { materials } }) => structured({ contexts: [materials] }),
    },
    echo: { answer: ({ arguments: args }) => structured(args) },
    fail: { answer: () => ({ ...text("no luck"), isError: true }) },
  };
}

type JsonObject = Readonly<Record<string, unknown>>;

/** A pipe that a model or a client has run. */
export interface Ran {
  readonly server: TestServer;
  /** The result of the tool `mcp_pipe`. */
  readonly output: JsonObject;
}

/** A way to call the tool `mcp_pipe`, with the web's tools unless others are given. */
interface Way {
  readonly name: string;
  run(args: unknown, tools?: Record<string, TestTool>): Promise<Ran>;
}

/** The tool of a server, called by a client over the wire. */
const served: Way = {
  name: "a server",
  async run(args, tools = createWeb()) {
    const server = await createTestServer(tools);
    registerMcpPipe(server.server);
    const result = await server.client.callTool({
      name: "mcp_pipe",
      arguments: args as Record<string, unknown>,
    });
    return { server, output: result.structuredContent as JsonObject };
  },
};

/** The pipe as a graph of LangGraph, without a model. A refused spec has no graph. */
const compiled: Way = {
  name: "a graph",
  async run(args, tools = createWeb()) {
    const { server, host } = await open(tools);
    try {
      const result: object = await compilePipe(host, { spec: args }).invoke({});
      return { server, output: { ...result } };
    } catch (error) {
      if (!ToolrailError.isInstance(error) || error.code !== "invalid-pipe") throw error;
      return { server, output: { ok: false, error: error.message, result: null, steps: {} } };
    }
  },
};

export const ways: readonly Way[] = [
  served,
  compiled,
  ...frameworks.map(({ name, ask }) => ({
    name,
    async run(args: unknown, tools = createWeb()) {
      const { server, host } = await open(tools);
      const call = { tool: "mcp_pipe", arguments: args as JsonObject };
      const { pipes } = await ask(host, { turns: [[call], "done"], pipe: true });
      return { server, output: pipes[0] ?? {} };
    },
  })),
];
