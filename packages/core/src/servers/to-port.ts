import type { McpPort, PortOptions } from "../call/port.ts";
import { hasMethods } from "../check-options.ts";
import { invalidOptions } from "../errors.ts";
import type { JsonObject } from "../json/json.ts";
import { ANY, refuseLostHeaders, type SdkClient, SdkPort } from "./sdk-port.ts";
import { shareAnswers } from "./shared-answers.ts";

/**
 * Any MCP client that Toolrail can use: `Client` of `@modelcontextprotocol/sdk` (v1) or of `@modelcontextprotocol/client` (v2), and
 * the client of `@ai-sdk/mcp`. Structural: none is imported.
 */
export interface McpClientLike {
  listTools(...parameters: never[]): PromiseLike<{ readonly tools: readonly unknown[] }>;
  close?(): PromiseLike<void>;
}

/** Puts a port in front of a client. Throws `invalid-options` if its kind cannot be recognised. */
export function toPort(server: string, client: McpClientLike | McpPort): McpPort {
  if (hasMethods(client, "list", "call")) return client as McpPort;
  if (hasMethods(client, "request", "toolsFromDefinitions")) {
    return aiSdkPort(client as unknown as AiSdkClient);
  }
  if (hasMethods(client, "request", "setNotificationHandler")) {
    const isV2 = hasMethods(client, "getProtocolEra");
    return new SdkPort(client as unknown as SdkClient, { isV2 });
  }
  const message = `Server "${server}" is not a supported MCP client: write http(url), stdio(command, args) or ...fromConfig(file) of @toolrail/core/connect, or pass a connected Client of @modelcontextprotocol/sdk or @modelcontextprotocol/client, the client of @ai-sdk/mcp, an McpPort, or a function that connects one of these, as { client, …options } if it has options.`;
  throw invalidOptions(message);
}

/** The members of the `@ai-sdk/mcp` client that are used here. */
interface AiSdkClient {
  request(parameters: object): Promise<unknown>;
  close?(): PromiseLike<void>;
  /** These members are private in 1.0.101 and 2.0.99, which offer no other way. 1.0.101 has neither `requestOnce` nor `protocolEra`. */
  readonly isClosed?: boolean;
  readonly transport?: { readonly sessionId?: string | undefined };
  readonly protocolEra?: string;
  readonly clientCapabilities?: JsonObject;
  elicitationRequestHandler?: (request: { readonly params?: unknown }) => Promise<unknown>;
  requestOnce?(parameters: object): Promise<unknown>;
  readonly instructions?: string;
}

/** Puts a port in front of a client of `@ai-sdk/mcp`. The port reports no changes of the tool list: `host.refresh()` reads them. */
function aiSdkPort(client: AiSdkClient): McpPort {
  const hasHandler = client.elicitationRequestHandler !== undefined;
  const shared = client.clientCapabilities?.elicitation
    ? shareAnswers(client, { hasHandler })
    : undefined;
  if (shared) client.elicitationRequestHandler = ({ params }) => shared.answer(params);
  const toRequest = (method: string, params: JsonObject, { headers, signal }: PortOptions) => {
    if (headers) refuseLostHeaders(headers, { takesHeaders: false });
    const request = { method, params };
    return { request, resultSchema: ANY, options: { signal, abortSignal: signal } };
  };
  return {
    async list({ cursor, meta }, options) {
      return client.request(toRequest("tools/list", { cursor, _meta: meta }, options));
    },
    async call({ meta, ...params }, options) {
      const asked = toRequest("tools/call", { ...params, _meta: meta }, options);
      if (!shared) return client.request(asked);
      // On MCP 2026-07-28, input requests arrive as answers to calls.
      const once = client.protocolEra === "modern" ? client.requestOnce : undefined;
      return shared.during(
        options,
        () => once?.call(client, { ...asked, allowInputRequired: true }) ?? client.request(asked),
      );
    },
    isOpen: () => client.isClosed !== true,
    hasSession: () => client.transport?.sessionId !== undefined,
    instructions: () => client.instructions,
    close: async () => client.close?.(),
  };
}
