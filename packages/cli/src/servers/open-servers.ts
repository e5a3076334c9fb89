import type { ServerOption } from "@toolrail/core";
import {
  type Connection,
  type ConnectOptions,
  connectServer,
  transportsOf,
} from "./connect-server.ts";
import type { ServerTarget } from "./server-target.ts";

export type OpenServers = Awaited<ReturnType<typeof openServers>>;

/** Connects all servers at once. Never rejects: a server that fails does not stop the others. */
export async function openServers(targets: readonly ServerTarget[], options: ConnectOptions) {
  const routes = targets.map((target) => ({ target, transports: transportsOf(target, options) }));
  const killAll = () => {
    for (const { transports } of routes) for (const transport of transports) transport.kill?.();
  };
  process.once("exit", killAll);
  const connections = new Map<string, Connection>();
  const opened = routes.map(async ({ target, transports }): Promise<[string, ServerOption]> => {
    try {
      const connection = await connectServer(target, { ...options, transports });
      connections.set(target.name, connection);
      return [target.name, { client: connection.client, shared: true }];
    } catch (error) {
      const fail = () => Promise.reject(error);
      return [target.name, { list: fail, call: fail }];
    }
  });
  return {
    /** For `createHost`. A server that could not be connected answers every request with the reason. */
    options: Object.fromEntries(await Promise.all(opened)),
    /** How the program of a server fares; undefined for one elsewhere or not connected. */
    state: (server: string) => connections.get(server)?.state(),
    async close() {
      await Promise.allSettled([...connections.values()].map((connection) => connection.close()));
      process.removeListener("exit", killAll);
    },
  };
}
