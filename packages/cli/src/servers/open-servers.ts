import type { ServerOption } from "@toolrail/core";
import type { ConnectOptions } from "./connect-options.ts";
import { type Connection, connectServer } from "./connect-server.ts";
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
  const kills = new Set<() => void>();
  const killAll = () => {
    for (const kill of kills) kill();
  };
  process.once("exit", killAll);
  const connections = new Map<string, Connection>();
  const entries = await Promise.all(
    targets.map(async (target): Promise<[string, ServerOption]> => {
      try {
        const onStart = (kill: () => void) => kills.add(kill);
        const connection = await connectServer(target, { ...options, onStart });
        connections.set(target.name, connection);
        return [target.name, { client: connection.client, shared: true }];
      } catch (error) {
        return [target.name, unreachable(error)];
      }
    }),
  );
  return {
    options: Object.fromEntries(entries),
    state: (server) => connections.get(server)?.state(),
    async close() {
      await Promise.allSettled([...connections.values()].map((connection) => connection.close()));
      process.removeListener("exit", killAll);
    },
  };
}

function unreachable(error: unknown): ServerOption {
  const client = {
    request: () => Promise.reject(error),
    listTools: () => Promise.reject(error),
    setNotificationHandler: () => {},
  };
  return { client, kind: "sdk-v1" };
}
