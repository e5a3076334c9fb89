/**
 * Servers for `createHost` by their address or their command. The client of the MCP SDK is loaded when it is first needed:
 * that of `@modelcontextprotocol/client` if it is installed, or else that of `@modelcontextprotocol/sdk`.
 *
 * @module
 */

export { type AuthProviderLike, type HttpOptions, http } from "./http.ts";
