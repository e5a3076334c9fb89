/**
 * Servers for `createHost` from an address, a command, or the configuration of another client. The client of the MCP SDK is
 * loaded when it is first needed: `@modelcontextprotocol/client` if it is installed, or else `@modelcontextprotocol/sdk`.
 *
 * @module
 */

export type { ConnectedServer, ConnectServer } from "../host/host-options.ts";
export {
  type ConfigOptions,
  type ConfiguredServer,
  fromConfig,
  parseConfig,
  type ServersConfig,
} from "./config.ts";
export { type AuthProviderLike, type HttpOptions, http, type Protocol } from "./http.ts";
export { type StdioOptions, stdio } from "./stdio.ts";
