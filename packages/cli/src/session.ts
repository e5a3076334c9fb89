import {
  createHost,
  type Decision,
  type Host,
  type HostOptions,
  type PendingCall,
  ToolrailError,
} from "@toolrail/core";
import { isUnread, withOwnSignal } from "@toolrail/core/adapter";
import { askApproval, askOnTerminal } from "./ask.ts";
import { parseJsonObject } from "./input.ts";
import { describeOutput, type OpenServers, openServers } from "./open-servers.ts";
import type { CommandCall } from "./run-toolrail.ts";
import { readHeaders, readTargets } from "./server-targets.ts";
import { message, plainText } from "./terminal.ts";

/** The conversation of all calls of a command line. */
export const CONVERSATION = "toolrail";

export interface Session {
  readonly host: Host;
  readonly servers: OpenServers;
  /** Asks a person to approve a call. Absent without a terminal. */
  readonly approve?: (pending: PendingCall) => Promise<Decision>;
  /** False if a server gives no list. */
  readonly isComplete: boolean;
}

interface SessionOptions extends Pick<CommandCall, "flags" | "context"> {
  readonly options?: Pick<HostOptions, "limits" | "use">;
}

/**
 * Connects the servers of the command line, runs `use`, and closes them in any case. Rejects with `UsageError`, with
 * `server-unavailable` if no server answers, and as `use` does.
 */
export async function withHost<T>(
  { flags, context, options = {} }: SessionOptions,
  use: (session: Session) => Promise<T>,
): Promise<T> {
  const { signal, stdin, stderr, env } = context;
  const { timeout, protocol, debug } = flags;
  const targets = await readTargets(flags, env);
  const headers = readHeaders(flags);
  const meta = flags.meta === undefined ? undefined : parseJsonObject(flags.meta, "--meta");
  const asks = stdin.isTTY === true && stderr.isTTY === true;
  const servers = openServers(targets, {
    ...{ signal, headers, protocol },
    onStderr: debug ? (text) => stderr.write(plainText(text)) : undefined,
  });
  let silent: Host["problems"] = [];
  /** The servers whose programs may have written why they fail. */
  const failing = new Set<string>();
  try {
    const creating = createHost({
      ...options,
      use: [
        ...(options.use ?? []),
        ...(meta ? [{ name: "request", requestMeta: () => meta }] : []),
      ],
      servers: servers.options,
      onEvent({ message: text, ...event }) {
        if (event.type === "server" && event.state === "lost") failing.add(event.server);
        const isName = event.type === "problem" && event.problem.code === "unmatched-name";
        if (isName) stderr.write(message(text));
      },
      limits: {
        ...(timeout !== undefined && { callTimeoutMs: timeout, callTotalTimeoutMs: timeout }),
        ...options.limits,
      },
      ...(asks && { onInputRequest: askOnTerminal(context) }),
    });
    const host = await withOwnSignal({ signal }, () => creating);
    silent = host.problems.filter(isUnread);
    for (const { server } of silent) failing.add(server);
    if (silent.length === targets.length) {
      const [problems, text] = [silent, silent.map(describeProblem).join("\n")];
      silent = []; // The error contains all of these messages.
      throw new ToolrailError("server-unavailable", text, { data: { problems } });
    }
    const approve = (pending: PendingCall) => askApproval(context, pending);
    const isComplete = silent.length === 0;
    return await use({ host, servers, isComplete, ...(asks && { approve }) });
  } finally {
    await servers.close();
    for (const problem of silent) stderr.write(message(describeProblem(problem)));
    for (const name of signal.aborted ? [] : failing) {
      for (const text of describeOutput(name, servers.output(name))) stderr.write(message(text));
    }
  }
}

/** Describes why a server gives no list, and what to do about it on a command line. */
function describeProblem({ server, code, message: text }: Host["problems"][number]): string {
  if (text.includes("No answer within")) return `${text} Give it longer with --timeout.`;
  if (code !== "needs-sign-in") return text;
  return `Server "${server}" refused access (401). Send credentials with --header 'Authorization: Bearer …'.`;
}
