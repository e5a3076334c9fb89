import { createHost, type Host, type HostEvent, type HostOptions } from "@toolrail/core";
import type { Capabilities } from "./harness.ts";
import type { MemoryTool, ServedTools } from "./memory-server.ts";
import type { RequirementId } from "./requirements.ts";

type Tools = Readonly<Record<string, MemoryTool>>;

/** Creates a server with given tools. */
export type ServeTools = (tools: Tools) => ServedTools | Promise<ServedTools>;

/** A host over the servers of a check, with its events. */
export interface Scenario<Name extends string = string> {
  readonly host: Host;
  readonly servers: Readonly<Record<Name, ServedTools>>;
  readonly events: readonly HostEvent[];
}

/** Opens a host over servers with these tools. It is closed at the end of the check. */
export type OpenScenario = <const Name extends string>(
  tools: Readonly<Record<Name, Tools>>,
  options?: Omit<HostOptions, "servers" | "onEvent"> & {
    /** The facts that hold for each server. */
    readonly facts?: { readonly nextTool: readonly string[] };
  },
) => Promise<Scenario<Name>>;

/** The test of one requirement, for any implementation of the capability. Rejects if it fails. */
export type Check<Capability extends keyof Capabilities> = (
  run: Capabilities[Capability],
  open: OpenScenario,
) => Promise<void>;

/** The tests of some requirements of a capability, by their ids. */
export type Checks<Capability extends keyof Capabilities> = Partial<
  Record<RequirementId<Capability>, Check<Capability>>
>;

/** Runs `use` with a function that opens scenarios, and closes them in any case. */
export async function withScenarios(
  serve: ServeTools,
  use: (open: OpenScenario) => Promise<void>,
): Promise<void> {
  const hosts: Host[] = [];
  try {
    await use(async (tools, { facts, ...options } = {}) => {
      const servers = await serveAll(serve, tools);
      const events: HostEvent[] = [];
      const host = await createHost({
        ...options,
        servers: Object.fromEntries(
          servers.map(([name, { port }]) => [name, facts ? { client: port, ...facts } : port]),
        ),
        onEvent: (event) => events.push(event),
      });
      hosts.push(host);
      return { host, servers: Object.fromEntries(servers) as never, events };
    });
  } finally {
    await Promise.all(hosts.map((host) => host.close()));
  }
}

function serveAll(serve: ServeTools, tools: Readonly<Record<string, Tools>>) {
  return Promise.all(
    Object.entries(tools).map(async ([name, own]) => [name, await serve(own)] as const),
  );
}
