import type { McpPort } from "../call/port.ts";
import { createOptionCheck, hasMethods, type OptionTable, oneOf } from "../check-options.ts";
import { ToolrailError } from "../errors.ts";
import { type AiSdkClient, aiSdkPort } from "./ai-sdk-port.ts";
import { type SdkClient, sdkPort } from "./sdk-port.ts";

/**
 * Any MCP client that Toolrail can use: `Client` of `@modelcontextprotocol/sdk` (v1) or of `@modelcontextprotocol/client` (v2), and
 * the client of `@ai-sdk/mcp`. Structural: none is imported.
 */
export interface McpClientLike {
  listTools(...parameters: never[]): PromiseLike<{ readonly tools: readonly unknown[] }>;
  close?(): PromiseLike<void>;
}

/** The kind of a client: of `@modelcontextprotocol/sdk`, `@modelcontextprotocol/client` or `@ai-sdk/mcp`. */
export type ClientKind = "sdk-v1" | "sdk-v2" | "ai-sdk";

/** A client or a port, with what the host cannot find out itself. @inline */
export interface DescribedClient {
  readonly client: McpClientLike | McpPort;
  /** The kind of a wrapped client that cannot be recognised. Default: recognised by its methods. */
  readonly kind?: ClientKind;
  /** If true, `host.close()` keeps the client open, for clients that others use as well. Default: false. */
  readonly shared?: boolean;
}

/** A server of a host: an MCP client, a port, or `{ client, kind, shared }` with what the host cannot find out itself. */
export type ServerOption = McpClientLike | McpPort | DescribedClient;

export const DESCRIBED_CLIENT = {
  client: "any",
  kind: /* @__PURE__ */ oneOf("sdk-v1", "sdk-v2", "ai-sdk"),
  shared: "boolean",
} satisfies OptionTable<DescribedClient>;

const check = /* @__PURE__ */ createOptionCheck<DescribedClient>("A client", DESCRIBED_CLIENT);

/** Puts a port in front of a client. Throws `unknown-client` if its kind cannot be recognised. */
export function toPort(server: string, option: ServerOption): McpPort {
  const isDescribed = Object(option) === option && "client" in option;
  if (isDescribed) check(option, `the client of the server "${server}"`);
  const described: DescribedClient = isDescribed ? option : { client: option as McpPort };
  const { client, kind = recogniseKind(client), shared } = described;
  if (!kind) {
    const message = `Server "${server}" is not a supported MCP client: pass a connected Client of @modelcontextprotocol/sdk or @modelcontextprotocol/client, the client of @ai-sdk/mcp, an McpPort, { client, kind } for a wrapped client, or a function that connects one of these, such as http() and stdio() of @toolrail/core/connect.`;
    throw new ToolrailError("unknown-client", message);
  }
  const port =
    kind === "port"
      ? (client as McpPort)
      : kind === "ai-sdk"
        ? aiSdkPort(client as unknown as AiSdkClient)
        : sdkPort(client as unknown as SdkClient, { isV2: kind === "sdk-v2" });
  return shared ? withoutClose(port) : port;
}

function withoutClose(port: McpPort): McpPort {
  const { list, call, watch, isOpen, hasSession, instructions } = port;
  const methods = { list, call, watch, isOpen, hasSession, instructions };
  const bound = Object.entries(methods).map(([name, method]) => [name, method?.bind(port)]);
  return Object.fromEntries(bound);
}

function recogniseKind(client: McpClientLike | McpPort): ClientKind | "port" | undefined {
  if (hasMethods(client, "list", "call")) return "port";
  if (!hasMethods(client, "request")) return undefined;
  if (hasMethods(client, "toolsFromDefinitions")) return "ai-sdk";
  if (!hasMethods(client, "setNotificationHandler")) return undefined;
  return hasMethods(client, "getProtocolEra") ? "sdk-v2" : "sdk-v1";
}
