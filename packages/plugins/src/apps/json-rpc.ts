import { type CallToolResult, type Tool, ToolrailError } from "@toolrail/core";
import { RESOURCES } from "@toolrail/core/plugin";
import { isJsonObject, type JsonObject, quoted } from "@toolrail/json";

/** A valid request of an app, as a call of one of its server's tools. */
export interface AppRequest {
  readonly id: RequestId;
  readonly method: "tools/list" | "tools/call" | "resources/read" | "resources/list";
  /** The tool to call. Empty for a list of tools. */
  readonly name: string;
  /** The unchecked arguments. */
  readonly arguments: JsonObject;
}

/** The id of a JSON-RPC request, or `null` if it has none. */
export type RequestId = string | number | null;

const INVALID_REQUEST = -32600;
const METHOD_NOT_FOUND = -32601;
const INVALID_PARAMS = -32602;
const REFUSED = -32000;

/** Reads a JSON-RPC request. Returns an error response if it is invalid. Ignores unknown members. */
export function readRequest(message: unknown): AppRequest | { readonly response: JsonObject } {
  const { jsonrpc, id = null, method, params = {} } = isJsonObject(message) ? message : {};
  if (jsonrpc !== "2.0" || !isId(id) || typeof method !== "string" || !isJsonObject(params)) {
    const what = "This is not a JSON-RPC 2.0 request with an id, a method and an object of params.";
    return refusal(isId(id) ? id : null, { code: INVALID_REQUEST, message: what });
  }
  const invalid = (what: string) =>
    refusal(id, { code: INVALID_PARAMS, message: `${method} ${what}.` });
  switch (method) {
    case "tools/list":
      return { id, method, name: "", arguments: {} };
    case "tools/call": {
      const { name, arguments: args = {} } = params;
      if (typeof name !== "string") return invalid("needs the name of a tool");
      return { id, method, name, arguments: args as JsonObject };
    }
    case "resources/list":
      return { id, method, name: RESOURCES, arguments: {} };
    case "resources/read": {
      const { uri } = params;
      if (typeof uri !== "string") return invalid("needs the uri of a resource");
      return { id, method, name: RESOURCES, arguments: { uri } };
    }
    default: {
      const what = `This host does not answer ${quoted(method)} of apps.`;
      return refusal(id, { code: METHOD_NOT_FOUND, message: what });
    }
  }
}

/** Ids are echoed, so they must be short. */
function isId(id: unknown): id is string | number {
  return Number.isFinite(id) || (typeof id === "string" && id.length <= 256);
}

export function toResult(method: AppRequest["method"], result: CallToolResult): JsonObject {
  const { content } = result;
  if (method === "resources/read") return { contents: content.map(({ resource }) => resource) };
  if (method !== "resources/list") return { ...result };
  return { resources: content.map(({ type: _, ...link }) => link) };
}

/** Converts a tool to the form of its server's list. */
export function toListed(tool: Tool): JsonObject {
  const { server: _, id: __, modelName: ___, forModel: ____, meta, ...listed } = tool;
  return { ...listed, ...(meta && { _meta: meta }) };
}

export function success(id: RequestId, result: JsonObject): { readonly response: JsonObject } {
  return { response: { jsonrpc: "2.0", id, result } };
}

/** Converts a failed call to a JSON-RPC error. `data.code` is the code of the `ToolrailError`. */
export function failure(id: RequestId, cause: unknown): { readonly response: JsonObject } {
  const { code, message } = ToolrailError.isInstance(cause) ? cause : UNKNOWN;
  const isWrong = ["unknown-tool", "invalid-arguments", "invalid-options"].includes(code);
  return refusal(id, { code: isWrong ? INVALID_PARAMS : REFUSED, message, data: { code } });
}

function refusal(id: RequestId, error: JsonObject): { readonly response: JsonObject } {
  return { response: { jsonrpc: "2.0", id, error } };
}

const UNKNOWN = { code: "callback-failed", message: "The request of the app failed." };

/** Creates the error for a tool that the app may not call. It does not disclose whether the tool exists. */
export function unknownTool(name: string): ToolrailError {
  const message = `The server of this app has no tool "${quoted(name)}" that apps may call.`;
  return new ToolrailError("unknown-tool", message);
}
