import type { ServerOption } from "@toolrail/core";
import { type Connection, type ConnectOptions, connectServer } from "./connect-server.ts";
import type { ProgramState } from "./process-transport.ts";
import type { ServerTarget } from "./server-target.ts";

/** The servers of one command, connected or not. */
export interface OpenServers {
  /** For `createHost`. A server that could not be connected answers every request with the reason. */
  readonly options: Readonly<Record<string, ServerOption>>;
  /** How the program of a server fares; undefined for one elsewhere or not connected. */
  state(server: string): ProgramState | undefined;
  close(): Promise<void>;
}

/** Connects all servers at once. Never rejects: a server that fails does not stop the others. */
export async function openServers(
  targets: readonly ServerTarget[],
  options: Omit<ConnectOptions, "onStart">,
): Promise<OpenServers> {
  const kills: (() => void)[] = [];
  const onStart = (kill: () => void) => void kills.push(kill);
  const killAll = () => {
    for (const kill of kills) kill();
  };
  process.once("exit", killAll);
  const connections = new Map<string, Connection>();
  const open = async (target: ServerTarget): Promise<[string, ServerOption]> => {
    try {
      const connection = await connectServer(target, { ...options, onStart });
      connections.set(target.name, connection);
      return [target.name, { client: connection.client, shared: true }];
    } catch (error) {
      const fail = () => Promise.reject(error);
      return [target.name, { list: fail, call: fail }];
    }
  };
  return {
    options: Object.fromEntries(await Promise.all(targets.map(open))),
    state: (server) => connections.get(server)?.state(),
    async close() {
      await Promise.allSettled([...connections.values()].map((connection) => connection.close()));
      process.removeListener("exit", killAll);
    },
  };
}
