import {
  createHost,
  type Decision,
  type Host,
  type PendingCall,
  ToolrailError,
} from "@toolrail/core";
import { isUnread, withOwnSignal } from "@toolrail/core/adapter";
import {
  type ConfiguredServer,
  type ConnectedServer,
  type ConnectServer,
  http,
  parseConfig,
  stdio,
} from "@toolrail/core/connect";
import { type ParseEntry, parse } from "shell-quote";
import { askApproval } from "./ask.ts";
import { type Flags, parseJsonObject, readTextFile, UsageError } from "./command-line.ts";
import type { CommandCall, Context } from "./run-toolrail.ts";
import { message } from "./terminal.ts";

export interface Session {
  readonly host: Host;
  readonly servers: readonly OpenServer[];
  /** Asks a person to approve a call. Absent without a terminal. */
  readonly approve?: (pending: PendingCall) => Promise<Decision>;
}

/**
 * Connects the servers of the command line, runs `use`, and closes them in any case. Rejects with `UsageError`, with
 * `server-unavailable` if no server answers, and as `use` does.
 */
export async function withHost<T>(
  { flags, context }: CommandCall,
  use: (session: Session) => Promise<T>,
): Promise<T> {
  const { signal, stdin, stderr } = context;
  const { timeout } = flags;
  const asks = stdin.isTTY === true && stderr.isTTY === true;
  const headers = readHeaders(flags);
  const targets = await readTargets(flags, context.env);
  const servers = targets.map((target) => openServer(target, { headers, flags, context }));
  /** The servers whose programs may have written why they fail. */
  const failing = new Set<string>();
  try {
    const creating = createHost({
      servers: Object.fromEntries(servers.map(({ name, connect }) => [name, connect])),
      onEvent({ message: text = "", ...event }) {
        if (event.type === "server" && event.state === "lost") failing.add(event.server);
        const isName = event.type === "problem" && event.problem.code === "unmatched-name";
        if (isName) stderr.write(message(text));
      },
      ...(timeout && { limits: { callTimeoutMs: timeout } }),
    });
    const host = await withOwnSignal({ signal }, () => creating);
    const silent = host.problems.filter(isUnread);
    for (const { server } of silent) failing.add(server);
    const texts = silent.map(describeProblem);
    if (silent.length === servers.length) {
      throw new ToolrailError("server-unavailable", texts.join("\n"));
    }
    for (const text of texts) stderr.write(message(text));
    const approve = (pending: PendingCall) => askApproval(context, pending);
    return await use({ host, servers, ...(asks && { approve }) });
  } finally {
    await Promise.all(servers.map((server) => server.close()));
    for (const { name, written } of servers) {
      const text = written();
      if (text && failing.has(name) && !signal.aborted)
        stderr.write(message(`Server "${name}" wrote to its stderr:\n${text}`));
    }
  }
}

/** Describes why a server gives no list, and what to do about it on a command line. */
function describeProblem({ server, code, message: text }: Host["problems"][number]): string {
  if (text.includes("No answer within")) return `${text}\nGive it longer with --timeout.`;
  if (code !== "needs-sign-in") return text;
  return `Server "${server}" refused access (401). Send credentials with --header 'Authorization: Bearer …'.`;
}

interface ServerParts {
  /** The headers of every request. They override those of the configuration. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly flags: Flags;
  readonly context: Context;
}

type Connected = Awaited<ReturnType<ConnectServer>>;

export type OpenServer = ReturnType<typeof openServer>;

/** The number of characters kept of the end of a program's standard error. */
const MAX_STDERR = 4_096;

function openServer(target: ConfiguredServer, parts: ServerParts) {
  const { context } = parts;
  let written = "";
  const server = toServer(target, parts, (text) => {
    written = (written + text).slice(-MAX_STDERR);
  });
  const closing = new AbortController();
  const connections: ReturnType<ConnectServer>[] = [];
  let isConnected = false;
  return {
    name: target.name,
    /** Connects it for `createHost`. */
    async connect(...[host, connecting]: Parameters<ConnectServer>): Promise<Connected> {
      const signal = AbortSignal.any([connecting.signal, context.signal, closing.signal]);
      const connection = server.client(host, { ...connecting, signal });
      connections.push(connection);
      const client = await connection;
      isConnected = true;
      return client;
    },
    /** Returns the end of its program's standard error. Empty if it was not connected: the server's problem then contains it. */
    written: () => (isConnected ? written.trim() : ""),
    /** Closes its connections, including unfinished ones. */
    async close(): Promise<void> {
      closing.abort();
      const closed = connections.map(async (connection) => {
        const client = await connection;
        if ("close" in client) await client.close?.();
      });
      await Promise.allSettled(closed);
    },
  };
}

function toServer(
  target: ConfiguredServer,
  { headers: given, flags, context }: ServerParts,
  onStderr: (text: string) => void,
): ConnectedServer {
  const { protocol } = flags;
  if ("command" in target) {
    const { name: _, command, args, ...program } = target;
    const env = { ...context.env, ...program.env } as Record<string, string>;
    return stdio(command, args, { ...program, env, protocol, onStderr });
  }
  const configured = Object.entries(target.headers).map(([key, value]) => [
    key.toLowerCase(),
    value,
  ]);
  return http(target.url, { headers: Object.fromEntries([...configured, ...given]), protocol });
}

/** Reads the servers of the command line, those of `--config` first. Throws `UsageError`, or `invalid-options` with the place in the file. */
export async function readTargets(
  { config, server = [] }: Pick<Flags, "config" | "server">,
  env: NodeJS.ProcessEnv,
): Promise<ConfiguredServer[]> {
  if (config === undefined && server.length === 0) {
    throw new UsageError("No server given: use --server NAME=URL-or-command, or --config FILE.");
  }
  const targets = server.map(parseServer);
  if (config !== undefined) {
    const text = await readTextFile(config, "--config");
    targets.unshift(...parseConfig(parseJsonObject(text, `--config ${config}`), { env }));
  }
  if (targets.length === 0) throw new UsageError(`${config} has no enabled server.`);
  const names = targets.map(({ name }) => name);
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined) throw new UsageError(`Two servers are named "${twice}"; rename one.`);
  return targets;
}

/** Reads `NAME=URL-or-command`. Throws `UsageError`. */
export function parseServer(text: string): ConfiguredServer {
  const [, name, place = ""] = /^([\w-]+)=\s*(.*)$/s.exec(text) ?? [];
  if (name === undefined) {
    throw new UsageError(
      `--server ${JSON.stringify(text)} needs a name of letters, digits, "_" and "-" first: ` +
        `--server NAME=URL-or-command, such as --server files='npx -y some-server .'`,
    );
  }
  const where = `--server ${name}`;
  if (/^[a-z][a-z\d+.-]*:\/\//i.test(place)) {
    return { name, url: place, headers: {} };
  }
  if (/^(localhost|[\w.-]+:\d+)(\/\S*)?$/.test(place)) {
    throw new UsageError(`${where}: to reach an address, write --server ${name}=http://${place}.`);
  }
  const [command, ...args] = splitCommand(place, where);
  if (command === undefined) throw new UsageError(`${where} names neither a URL nor a command.`);
  return { name, command, args, env: {} };
}

/** Splits a command line into words. No shell runs, so pipes, redirections and the like throw `UsageError`. */
export function splitCommand(text: string, where: string): string[] {
  const closed = text.replace(/\\.|'[^']*'|"(?:\\.|[^"\\])*"/gs, "");
  if (/['"]/.test(closed)) throw new UsageError(`${where}: a quote is not closed in: ${text}`);
  return parse(text, (name) => `$${name}`).map((entry: ParseEntry) => {
    if (typeof entry === "string") return entry;
    if ("comment" in entry) return `#${entry.comment}`;
    if ("pattern" in entry) return entry.pattern;
    throw new UsageError(
      `${where}: the command is started without a shell, so "${entry.op}" has no effect there. ` +
        `Quote it, or start a shell: sh -c '…'.`,
    );
  });
}

/** Reads `NAME:VALUE` headers. Throws `UsageError`. */
function readHeaders({ header = [] }: Pick<Flags, "header">): [string, string][] {
  return header.map((text) => {
    const [, name, value] = /^([\w-]+): *(.*)$/.exec(text) ?? [];
    if (name && value !== undefined) return [name.toLowerCase(), value];
    throw new UsageError("A --header is not a header: write NAME:VALUE."); // It may be a secret.
  });
}
