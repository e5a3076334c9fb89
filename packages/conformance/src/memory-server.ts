import type { McpPort, Server } from "@toolrail/core";
import type { JsonObject } from "@toolrail/json";

/** What one call looked like to the server. */
export interface SeenCall {
  readonly name: string;
  readonly arguments: JsonObject;
  readonly _meta?: JsonObject | undefined;
  /** Of a call that is made again: the answers to what the tool has asked the user, and what goes back with them. */
  readonly inputResponses?: JsonObject | undefined;
  readonly requestState?: string | undefined;
  /** Aborted when the host gives the call up. */
  readonly signal: AbortSignal;
}

/** A tool of a server in memory: its definition, and what it answers. Default: a text that says it is done. */
export interface MemoryTool {
  readonly definition?: JsonObject;
  /** True where it may ask the user in the middle of a call (MCP 2026-07-28). */
  readonly asks?: boolean;
  readonly answer?: (call: SeenCall) => unknown;
}

/** A server of a check: what a host connects to, and what the server was asked. */
export interface ServedTools {
  readonly port: Extract<Server, { readonly client: unknown }>["client"];
  /** Names of the tools that were called, in order. */
  readonly calls: readonly string[];
  readonly seen: readonly SeenCall[];
}

/** An MCP server in this process. */
export interface MemoryServer extends ServedTools {
  readonly port: McpPort;
}

/** A server with these tools. Its answers pass as JSON, unchecked, as those of an untrusted server do. */
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
    mayAsk: () => Object.values(tools).some(({ asks }) => asks),
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
