import type { JsonObject } from "@toolrail/json";
import { createOptionCheck, type OptionTable, oneOf } from "../check-options.ts";
import { ToolrailError } from "../errors.ts";
import type { McpPort } from "../types/port.ts";
import type { AiSdkClient } from "./ai-sdk-port.ts";
import type { Answer } from "./client-input-requests.ts";
import type { SdkClient } from "./sdk-client.ts";
import { sdkPort } from "./sdk-port.ts";

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

/** Puts a port in front of a client. Rejects with `unknown-client` if its kind cannot be recognised. */
export async function toPort(
  server: string,
  option: ServerOption,
  { answer }: { readonly answer: Answer },
): Promise<McpPort> {
  const isDescribed = Object(option) === option && "client" in option;
  if (isDescribed) check(option, `the client of the server "${server}"`);
  const described: DescribedClient = isDescribed ? option : { client: option as McpPort };
  const { client, kind = recogniseKind(client), shared } = described;
  if (!kind) throw unknownClient(server, client);
  const port = await portOf(client, { kind, answer });
  return shared ? Object.create(port, { close: { value: undefined } }) : port;
}

async function portOf(
  client: object,
  { kind, answer }: { readonly kind: ClientKind | "port"; readonly answer: Answer },
): Promise<McpPort> {
  if (kind === "port") return client as McpPort;
  if (kind === "ai-sdk") {
    const { aiSdkPort } = await import("./ai-sdk-port.ts");
    return aiSdkPort(client as AiSdkClient, answer);
  }
  return sdkPort(client as SdkClient, { isV2: kind === "sdk-v2", answer });
}

function recogniseKind(client: McpClientLike | McpPort): ClientKind | "port" | undefined {
  if (has(client, "list") && has(client, "call")) return "port";
  if (!has(client, "request")) return undefined;
  if (has(client, "toolsFromDefinitions")) return "ai-sdk";
  if (!has(client, "setNotificationHandler")) return undefined;
  return has(client, "getProtocolEra") ? "sdk-v2" : "sdk-v1";
}

function unknownClient(server: string, client: unknown): ToolrailError {
  const message =
    `Unsupported MCP client for server "${server}": ${describeClient(client)} Pass a connected Client of ` +
    "@modelcontextprotocol/sdk or @modelcontextprotocol/client, the client of @ai-sdk/mcp, " +
    "an McpPort, { client, kind } for a wrapped client, or a function that connects one of these.";
  return new ToolrailError("unknown-client", message);
}

/** Describes what was given in place of a client, and what to do with it. */
function describeClient(client: unknown): string {
  if (has(client, "then")) return "it is a promise. Await it first.";
  if (has(client, "start") && has(client, "send")) {
    return "it is a transport. Connect a client with it first: `await client.connect(transport)`.";
  }
  if (has(client, "connect") && has(client, "close") && !has(client, "listTools")) {
    return "it is a server. Connect a client to it first, such as over `InMemoryTransport`.";
  }
  const { url, command } = Object(client);
  if (client instanceof URL || url !== undefined || /^https?:/.test(String(client))) {
    return "it is the address of a server. Give it as `http(address)` of @toolrail/core/connect.";
  }
  if (command !== undefined) {
    return "it is the command of a server. Give it as `stdio(command, args)` of @toolrail/core/connect.";
  }
  if (Object(client) !== client) return `it is ${JSON.stringify(client)}.`;
  return "it is an object of an unknown kind.";
}

function has(client: unknown, name: string): boolean {
  return typeof (client as JsonObject | undefined)?.[name] === "function";
}
