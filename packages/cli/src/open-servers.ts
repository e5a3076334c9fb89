import { ToolrailError } from "@toolrail/core";
import {
  type ConfiguredServer,
  type ConnectServer,
  http,
  type Protocol,
  stdio,
} from "@toolrail/core/connect";
import { UsageError } from "./command-line.ts";

export interface OpenOptions {
  readonly signal: AbortSignal;
  /** The headers of every request. They override those of the configuration. */
  readonly headers: Headers;
  readonly protocol: Protocol;
  /** Receives the server's standard error in parts. */
  readonly onStderr?: ((text: string) => void) | undefined;
}

export interface ProgramOutput {
  /** The end of its standard error. */
  readonly stderr: string;
  /** The number of lines on standard output that are no MCP messages, and the first of them. */
  readonly strayLines: number;
  readonly firstStray?: string;
}

export type OpenServers = ReturnType<typeof openServers>;

type Connection = Promise<Awaited<ReturnType<ConnectServer>>>;

/** Opens the servers of a command line for `createHost`, and records the output of their programs. Throws `UsageError`. */
export function openServers(targets: readonly ConfiguredServer[], options: OpenOptions) {
  const outputs = new Map<string, ProgramOutput>();
  const connected = new Set<string>();
  const closing = new AbortController();
  const connections: Connection[] = [];
  const servers = targets.map((target): [string, ConnectServer] => {
    const { name } = target;
    const onOutput = (text: string, stream: "stderr" | "stdout") => {
      if (stream === "stderr") options.onStderr?.(text);
      outputs.set(name, addOutput(outputs.get(name), { text, stream }));
    };
    const connect = toServer(target, { ...options, onOutput });
    let started: Connection | undefined;
    const connectOnce: ConnectServer = (host, connecting) => {
      const signal = AbortSignal.any([connecting.signal, options.signal, closing.signal]);
      const connection = started ?? Promise.resolve(connect(host, { ...connecting, signal }));
      // A command is short, so a program that has failed or ended is not started again.
      if ("command" in target) started = connection;
      connections.push(connection);
      void connection.then(() => connected.add(name)).catch(() => {});
      return connection;
    };
    return [name, connectOnce];
  });
  return {
    /** The `servers` of `createHost`. */
    options: Object.fromEntries(servers),
    /** Returns the output of a server's program if it was connected. Otherwise, the server's problem contains it. */
    output: (server: string) => (connected.has(server) ? outputs.get(server) : undefined),
    /** Closes all connections, including unfinished ones. */
    async close() {
      closing.abort();
      const settled = await Promise.allSettled(connections);
      const clients = settled.flatMap((outcome) =>
        outcome.status === "fulfilled" ? [outcome.value] : [],
      );
      await Promise.allSettled(clients.map((client) => "close" in client && client.close?.()));
    },
  };
}

type Parts = OpenOptions & {
  readonly onOutput: (text: string, stream: "stderr" | "stdout") => void;
};

function toServer(
  target: ConfiguredServer,
  { headers: given, protocol, onOutput }: Parts,
): ConnectServer {
  try {
    if ("command" in target) {
      const { command, args, cwd } = target;
      const place = cwd === undefined ? {} : { cwd };
      const env = { ...readEnv(), ...target.env };
      return stdio(command, args, { ...place, env, protocol, onOutput });
    }
    const { url, transport } = target;
    const headers = new Headers(target.headers);
    for (const [name, value] of given) headers.set(name, value);
    const way = transport === undefined ? {} : { transport };
    return http(url, { ...way, headers: Object.fromEntries(headers), protocol });
  } catch (cause) {
    if (!ToolrailError.isInstance(cause)) throw cause;
    throw new UsageError(`Server "${target.name}": ${cause.message}`, { cause });
  }
}

/** Returns the environment of this process, since the user of the command wants its programs to have it. */
function readEnv(): Record<string, string> {
  const set = Object.entries(process.env).filter(([, value]) => value !== undefined);
  return Object.fromEntries(set) as Record<string, string>;
}

function addOutput(
  { stderr, strayLines, firstStray }: ProgramOutput = { stderr: "", strayLines: 0 },
  { text, stream }: { readonly text: string; readonly stream: "stderr" | "stdout" },
): ProgramOutput {
  const first = firstStray ?? (stream === "stdout" ? text : undefined);
  return {
    stderr: stream === "stderr" ? (stderr + text).slice(-MAX_STDERR) : stderr,
    strayLines: stream === "stdout" ? strayLines + 1 : strayLines,
    ...(first !== undefined && { firstStray: first }),
  };
}

/** The number of characters kept of the end of a program's standard error. */
const MAX_STDERR = 4_096;

/** Describes the output of a server's program, if there is any. */
export function describeOutput(server: string, output: ProgramOutput | undefined): string[] {
  const { stderr = "", firstStray } = output ?? {};
  const parts = [
    ...(firstStray === undefined
      ? []
      : [`wrote lines to its standard output that are not MCP messages: ${firstStray}`]),
    ...(stderr.trim() === "" ? [] : [`wrote to its stderr:\n${stderr.trim()}`]),
  ];
  return parts.map((part) => `Server "${server}" ${part}`);
}
