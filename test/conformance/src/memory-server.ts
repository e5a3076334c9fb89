import type { McpPort, Server } from "@toolrail/core";
import type { JsonObject } from "@toolrail/core/json";

/** A call as the server receives it. */
export interface SeenCall {
  readonly name: string;
  readonly arguments: JsonObject;
  readonly _meta?: JsonObject | undefined;
  /** The answers to the tool's input requests, and the state that is sent back with them. Present in a repeated call. */
  readonly inputResponses?: JsonObject | undefined;
  readonly requestState?: string | undefined;
  /** The signal that aborts when the host cancels the call. */
  readonly signal: AbortSignal;
}

/** A tool of a server in memory: its definition and its answer. The default answer is a text. */
export interface MemoryTool {
  readonly definition?: JsonObject;
  readonly answer?: (call: SeenCall) => unknown;
}

/** A server of a check, with the calls that it received. */
export interface ServedTools {
  readonly port: Extract<Server, { readonly client: unknown }>["client"];
  /** The names of the called tools, in order. */
  readonly calls: readonly string[];
  readonly seen: readonly SeenCall[];
}

/** An MCP server in this process. */
export interface MemoryServer extends ServedTools {
  readonly port: McpPort;
}

/** Creates a server with these tools. Its answers are passed on as unchecked JSON, like those of an untrusted server. */
export function createMemoryServer(tools: Readonly<Record<string, MemoryTool>>): MemoryServer {
  const calls: string[] = [];
  const seen: SeenCall[] = [];
  const port: McpPort = {
    list: async () =>
      asJson({
        tools: Object.entries(tools).map(([name, { definition }]) => ({
          name,
          inputSchema: { type: "object" },
          ...definition,
        })),
      }),
    async call(
      { name, arguments: args, meta, inputResponses, requestState },
      { signal = new AbortController().signal },
    ) {
      const asked = { inputResponses, requestState };
      const call: SeenCall = { name, arguments: args, _meta: meta, signal, ...asked };
      calls.push(name);
      seen.push(call);
      const aborted = rejectionOf(signal);
      const answered = (async () => tools[name]?.answer?.(call))();
      const answer = await Promise.race([aborted, answered]);
      return asJson(answer ?? { content: [{ type: "text", text: `${name} done` }] });
    },
  };
  return { port, calls, seen };
}

function asJson(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

function rejectionOf(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
}
