import { isSignInNeeded, needsSignIn, reasonOf } from "../call/call-error.ts";
import type { Limits } from "../call/limits.ts";
import { askForRequest, type Hooks } from "../call/plugin.ts";
import { type HostProblem, isUnread, type Tool } from "../call/tool.ts";
import { rest } from "../call/until-aborted.ts";
import type { Voice } from "../call/voice.ts";
import { ToolrailError, toToolrailError } from "../errors.ts";
import { plainText } from "../json/plain-text.ts";
import { type LinkedServer, ServerLink } from "./server-link.ts";
import { readServerTools, type ServerTools } from "./tool-list.ts";

/** What the servers of a host have in common. */
export interface ServerParts {
  readonly hooks: Hooks;
  readonly limits: Limits;
  /** The servers whose names begin the names of their tools for models. */
  readonly prefixed: readonly string[];
  /** Removes the tools that the operator's tool checks refuse. */
  readonly screen: (list: ServerTools) => Promise<ServerTools>;
  readonly now: () => number;
  readonly voice: Voice;
}

interface ServerListParts extends ServerParts, LinkedServer {
  readonly closed: AbortSignal;
  onRead(): void;
}

const UNREAD: ServerTools = { tools: [], problems: [] };

/** The list of one server's tools. It asks the server nothing before it is read. */
export class ServerList {
  readonly link: ServerLink;
  /** The tools and problems as they were last read. */
  current = UNREAD;
  readonly #server: string;
  readonly #parts: ServerListParts;
  /** True if a change was announced and no reading has begun since. */
  #isAnnounced = false;
  #isResting = false;
  /** The last reading, until it has ended. */
  #reading: Promise<void> | undefined;
  /** True if that reading has not begun. All who ask in the meantime share it. */
  #isQueued = false;

  constructor(server: string, parts: ServerListParts) {
    this.#server = server;
    this.#parts = parts;
    this.link = new ServerLink({
      ...parts,
      timeoutMs: parts.limits.callTimeoutMs,
      onState: (state) => this.#tellState(state),
      onChange: () => this.#noteChange(),
      onSignIn: (cause) => this.#noteSignIn(cause),
    });
  }

  /** The problem that kept the list from being read, if there is one. */
  get failure(): HostProblem | undefined {
    return this.current.problems.find(isUnread);
  }

  /** Reads the list anew, after the running reading. */
  read(): Promise<void> {
    if (!this.#reading || !this.#isQueued) {
      this.#isQueued = true;
      this.#reading = this.#readAfter(this.#reading);
    }
    return this.#reading;
  }

  /** Reads an announced change, or waits for a reading, but not until a server is connected. */
  settle(): Promise<void> | undefined {
    if (this.#isAnnounced) return this.read();
    return this.link.isOpen() ? this.#reading : undefined;
  }

  /** Reads what a call has to know: an announced change, and the list of a server that is not connected. */
  prepare(): Promise<void> | undefined {
    return this.link.isOpen() ? this.settle() : (this.#reading ?? this.read());
  }

  /** Reads in the background, and then rests: a server may be down, or announce a change with each list. */
  async readSoon(): Promise<void> {
    if (this.#isResting) return;
    this.#isResting = true;
    await this.prepare()?.catch(() => {}); // A problem reports the failure.
    await rest(REST_MS);
    this.#isResting = false;
    if (this.#isAnnounced) void this.readSoon();
  }

  async #readAfter(running: Promise<void> | undefined): Promise<void> {
    await running?.catch(() => {});
    this.#isQueued = false;
    this.#isAnnounced = false;
    try {
      const before = this.current;
      const next = await this.#readTools();
      if (this.#parts.closed.aborted) return;
      this.#show(next);
      if (before !== UNREAD && !areSame(before.tools, next.tools)) this.#tellOfChange();
    } finally {
      if (!this.#isQueued) this.#reading = undefined;
    }
  }

  async #readTools(): Promise<ServerTools> {
    const { hooks, screen } = this.#parts;
    const request = { method: "tools/list", server: this.#server } as const;
    try {
      const given = await askForRequest(hooks, request).catch(failed);
      const options = { ...this.#parts, ...given };
      const listed = await this.link.read((pages) => readServerTools(this.#server, pages, options));
      return await screen({ ...listed, tools: keepKnown(this.current.tools, listed.tools) });
    } catch (cause) {
      if (ToolrailError.isInstance(cause, "invalid-options")) throw cause;
      return { ...this.current, problems: [this.#unreadProblem(cause)] };
    }
  }

  #show(list: ServerTools): void {
    const { onRead, voice, now } = this.#parts;
    this.current = list;
    onRead();
    // The message may hold words of the server, so only `host.problems` shows it.
    for (const { findings: _, message: __, ...problem } of list.problems) {
      voice.tell({ type: "problem", atMs: now(), problem });
    }
  }

  #noteChange(): void {
    this.#isAnnounced = true; // The next call waits for the list.
    void this.readSoon();
  }

  #noteSignIn(cause: unknown): void {
    if (this.failure?.code === "needs-sign-in") return;
    this.#show({ ...this.current, problems: [this.#unreadProblem(cause)] });
  }

  #unreadProblem(cause: unknown): HostProblem {
    const server = this.#server;
    const what = `Listing the tools of server "${server}"`;
    if (isSignInNeeded(cause)) {
      this.#tellState("needs-sign-in");
      const { message } = needsSignIn(server, { what });
      return { server, code: "needs-sign-in", message };
    }
    const message = ToolrailError.isInstance(cause)
      ? `${what}: ${cause.message}`
      : plainText(`${what} failed: ${reasonOf(cause)}. Check that the server is running.`);
    return { server, code: "list-failed", message };
  }

  #tellState(state: "connected" | "lost" | "needs-sign-in"): void {
    const { voice, now } = this.#parts;
    voice.emit({ type: "server", atMs: now(), server: this.#server, state });
  }

  #tellOfChange(): void {
    const { voice, now } = this.#parts;
    voice.emit({ type: "tools-changed", atMs: now(), server: this.#server });
  }
}

const REST_MS = 200;

function failed(cause: unknown): never {
  throw toToolrailError(cause, "`requestMeta` or `requestHeaders` failed");
}

/** Keeps the objects of unchanged tools, and with them what was compiled for them. */
function keepKnown(before: readonly Tool[], tools: readonly Tool[]): readonly Tool[] {
  if (before.length === 0) return tools;
  const known = new Map(before.map((tool) => [JSON.stringify(tool), tool]));
  return tools.map((tool) => known.get(JSON.stringify(tool)) ?? tool);
}

function areSame(before: readonly Tool[], tools: readonly Tool[]): boolean {
  return tools.length === before.length && tools.every((tool, at) => tool === before[at]);
}
