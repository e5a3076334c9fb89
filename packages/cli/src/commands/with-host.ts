import { createHost, type Host, type HostOptions, type Progress } from "@toolrail/core";
import type { Context } from "../context.ts";
import { describeLoss } from "../servers/connect-error.ts";
import { type OpenServers, openServers } from "../servers/open-servers.ts";
import { message } from "../terminal/plain-text.ts";
import { createStyle } from "../terminal/style.ts";
import { untilAborted } from "../until-aborted.ts";
import type { Flags } from "./flags.ts";
import { readHeaders, readTargets } from "./read-targets.ts";

/** A host over the servers of the command line. */
export interface Session {
  readonly host: Host;
  readonly servers: OpenServers;
  /** For calls whose progress is to be seen while they run. */
  onProgress(progress: Progress): void;
}

const CONNECT_TIMEOUT_MS = 30_000;

/**
 * Connects the servers of the command line, runs `use`, and closes them whatever happens. Rejects with
 * `UsageError`, with `server-unavailable` where no server answers, and as `use` does.
 */
export async function withHost<T>(
  flags: Flags,
  context: Context,
  options: Partial<HostOptions>,
  use: (session: Session) => Promise<T>,
): Promise<T> {
  const targets = await readTargets(flags, context);
  const headers = readHeaders(flags.header);
  const { signal, stderr } = context;
  const live = await startLiveCalls(flags, context);
  const servers = await openServers(targets, {
    timeoutMs: flags.timeout ?? CONNECT_TIMEOUT_MS,
    signal,
    headers,
    onStderr: flags.debug ? (text) => stderr.write(text) : undefined,
  });
  const notes: string[] = [];
  const lost = new Set(Object.keys(servers.options)); // Until the host has their lists.
  try {
    const { meta, timeout } = flags;
    const host = await untilAborted(
      signal,
      createHost({
        ...options,
        servers: servers.options,
        ...(meta && { requestMeta: () => meta }),
        limits: {
          ...(timeout !== undefined && { callTimeoutMs: timeout, callTotalTimeoutMs: timeout }),
          ...options.limits,
        },
        onEvent(event) {
          live?.onEvent(event);
          if (event.type === "call" && event.code === "connection") lost.add(serverOf(event.tool));
        },
      }),
    );
    lost.clear();
    for (const problem of host.problems.filter(({ code }) => code === "list-failed")) {
      notes.push(problem.message);
      lost.add(problem.server);
    }
    const onProgress = (progress: Progress) => live?.onProgress(progress);
    return await use({ host, servers, onProgress });
  } finally {
    live?.stop();
    await servers.close();
    for (const server of signal.aborted ? [] : lost) {
      const program = servers.state(server);
      const loss = program && describeLoss(server, program);
      if (loss !== undefined) notes.push(loss);
    }
    for (const note of notes) stderr.write(message(note));
  }
}

/** Names of servers hold no point here, those of tools may. */
function serverOf(tool: string): string {
  return tool.slice(0, tool.indexOf("."));
}

async function startLiveCalls(flags: Flags, { stderr, env }: Context) {
  if (flags.json || flags.debug || stderr.isTTY !== true || env.TERM === "dumb") return undefined;
  const { createLiveCalls } = await import("../terminal/live-calls.ts");
  return createLiveCalls(stderr, createStyle(stderr, env));
}
