import type { ServerFacts } from "../call/port.ts";
import {
  type HostProblem,
  type NamedTools,
  type Tool,
  type ToolName,
  type ToolRef,
  toPattern,
} from "../call/tool.ts";
import { invalidOptions, ToolrailError } from "../errors.ts";
import { suggestName } from "../nearest-name.ts";
import type { LinkedServer, ServerLink } from "./server-link.ts";
import { ServerList, type ServerParts } from "./server-list.ts";
import { listTools, nearestTool, ToolCatalog, unreachable } from "./tool-catalog.ts";

interface ServerListsParts extends Omit<ServerParts, "prefixed"> {
  readonly servers: ReadonlyMap<string, LinkedServer>;
  readonly isAllowed: (tool: Tool) => boolean;
  /** The names of tools in the options of the host. */
  readonly named: readonly NamedTools[];
}

/** The tool lists of all servers of a host, kept up to date. They ask the servers nothing before they are opened. */
export class ServerLists {
  readonly #parts: ServerListsParts;
  readonly #named: NamedTools[];
  readonly #closing = new AbortController();
  readonly #lists = new Map<string, ServerList>();
  #catalog: ToolCatalog;
  /** True once all lists were read for the first time. */
  #isOpen = false;

  constructor(parts: ServerListsParts) {
    const { servers, isAllowed } = parts;
    this.#parts = parts;
    this.#named = [...parts.named];
    this.#catalog = new ToolCatalog({ servers: new Map(), isAllowed });
    const prefixed = [...servers].flatMap(([name, { prefix }]) => (prefix ? name : []));
    const common = { ...parts, prefixed, closed: this.#closing.signal };
    const onRead = () => this.#collect();
    for (const [name, server] of servers)
      this.#lists.set(name, new ServerList(name, { ...common, ...server, onRead }));
  }

  /** Reads all lists for the first time. Rejects if no server answers and none of them can be connected later. */
  async open(): Promise<readonly Tool[]> {
    try {
      const lists = [...this.#lists.values()];
      await Promise.all(lists.map((list) => list.read()));
      const failures = lists.flatMap((list) => list.failure ?? []);
      const canConnect = lists.some(({ link }) => !link.isOpen());
      if (failures.length === lists.length && !canConnect) throw noServer(failures);
      this.#refuseUnmatched(this.#named);
      this.#isOpen = true;
      this.#collect();
      return this.#catalog.tools;
    } catch (cause) {
      await this.#close({ given: false });
      throw cause;
    }
  }

  /** Returns the tools that were last read. Servers that are not connected are tried again in the background. */
  catalog(): ToolCatalog {
    for (const list of this.#lists.values()) if (!list.link.isOpen()) void list.readSoon();
    return this.#catalog;
  }

  find(name: ToolName): Tool {
    return this.#catalog.find(name);
  }

  /** Finds the tool of a call, after its server was connected and has told of all changes. With `isFresh`, its list is read again. */
  async findForCall(name: ToolName, { isFresh = false } = {}): Promise<Tool> {
    const { signal: closed } = this.#closing;
    closed.throwIfAborted();
    const servers = this.#catalog.serversOf(name) ?? [...this.#lists.keys()];
    const readings: Promise<void>[] = [];
    for (const server of servers) {
      const list = this.#lists.get(server);
      const reading = isFresh ? list?.read() : list?.prepare();
      if (reading !== undefined) readings.push(reading);
    }
    if (readings.length > 0) await Promise.all(readings);
    closed.throwIfAborted();
    const tool = this.find(name);
    const { link, failure } = this.#listOf(tool.server);
    if (failure && !link.isOpen()) throw unreachable(tool.id, failure);
    return tool;
  }

  facts(server: string): ServerFacts {
    return this.#parts.servers.get(server) ?? {};
  }

  port(server: string): Pick<ServerLink, "call"> {
    return this.#listOf(server).link;
  }

  instructions(): Readonly<Record<string, string>> {
    const texts = [...this.#lists].flatMap(([server, { link }]) => {
      const text = link.instructions();
      return typeof text === "string" ? [[server, text.slice(0, MOST_TEXT)]] : [];
    });
    return Object.fromEntries(texts);
  }

  /** Reads the announced changes of a server, or of all. */
  async settle(server?: string): Promise<void> {
    const settling = [...this.#lists].filter(([name]) => server === undefined || name === server);
    await Promise.all(settling.map(([, list]) => list.settle()));
  }

  async refresh(server?: string): Promise<void> {
    const asked = server === undefined ? [...this.#lists.keys()] : [server];
    await Promise.all(asked.map((name) => this.#listOf(name).read()));
  }

  /** Reports names of tools that no server lists, now and when lists change. Throws `invalid-options` for new ones that protect. */
  watch(more: readonly NamedTools[]): void {
    const isKnown = ({ option, pattern }: NamedTools) =>
      this.#named.some((one) => one.option === option && one.pattern === pattern);
    const added = more.filter((one) => !isKnown(one));
    if (this.#isOpen) this.#refuseUnmatched(added);
    this.#named.push(...added);
    if (added.length > 0) this.#collect();
  }

  close(): Promise<void> {
    return this.#close({ given: true });
  }

  async #close(which: { readonly given: boolean }): Promise<void> {
    this.#closing.abort(new ToolrailError("aborted", "This host is closed; create a new one."));
    await Promise.allSettled([...this.#lists.values()].map(({ link }) => link.close(which)));
  }

  #listOf(server: string): ServerList {
    this.#closing.signal.throwIfAborted();
    const list = this.#lists.get(server);
    if (list) return list;
    const hint = suggestName(server, [...this.#lists.keys()]);
    throw invalidOptions(`There is no server "${server}". ${hint}`);
  }

  #refuseUnmatched(named: readonly NamedTools[]): void {
    for (const one of named) findMismatch(one, this.#lists, { refuses: true });
  }

  /** Collects all tools again, and tells of the names in options that match none. */
  #collect(): void {
    const { isAllowed, voice, now } = this.#parts;
    const { problems: known } = this.#catalog;
    const names = this.#isOpen ? this.#named : [];
    const ofNames = names.flatMap((one) => findMismatch(one, this.#lists) ?? []);
    const servers = new Map([...this.#lists].map(([server, { current }]) => [server, current]));
    this.#catalog = new ToolCatalog({ servers, isAllowed, ofNames });
    for (const problem of ofNames) {
      if (known.some(({ message }) => message === problem.message)) continue;
      voice.tell({ type: "problem", atMs: now(), problem });
    }
  }
}

const MOST_TEXT = 32_768;

function noServer(failures: readonly HostProblem[]): ToolrailError {
  const message = failures.map((problem) => problem.message).join(" ");
  const [first] = failures;
  if (first && failures.every(({ code }) => code === "needs-sign-in")) {
    return new ToolrailError("needs-sign-in", message, { data: { server: first.server } });
  }
  return new ToolrailError("server-unavailable", message, { data: { problems: failures } });
}

/**
 * Returns the problem with a name in an option that matches no tool that a server lists, offered or not. With `refuses`, throws if the
 * name protects and the servers that may have the tool have answered. A pattern of a known server may mean tools that come later.
 */
function findMismatch(
  { option, pattern, protects }: NamedTools,
  lists: ReadonlyMap<string, ServerList>,
  { refuses = false } = {},
): HostProblem | undefined {
  const listed = [...lists].flatMap(([server, { current }]): ToolRef[] => [
    ...current.tools,
    ...current.problems.flatMap(({ tool }) => (tool === undefined ? [] : { server, name: tool })),
  ]);
  if (pattern === "*" || listed.some(toPattern(pattern, option))) return undefined;
  const meant = serversMeant(pattern, [...lists.keys()]);
  const silent = meant.filter((server) => lists.get(server)?.failure);
  const message = `\`${option}\` names "${pattern}", but no server lists such a tool. ${hintFor(pattern, { listed, silent })}`;
  const isFinal = silent.length === 0 && (!pattern.includes("*") || meant.length === 0);
  if (refuses && protects && isFinal) throw invalidOptions(message);
  return { server: "", code: "unmatched-name", message };
}

/** The servers whose tools a pattern may mean. A bare name may mean one of any server, a pattern begins with its server. */
function serversMeant(pattern: string, servers: readonly string[]): readonly string[] {
  if (!/[.*]/.test(pattern)) return servers;
  const [head = ""] = pattern.split("*");
  return servers.filter((server) => head.startsWith(`${server}.`) || `${server}.`.startsWith(head));
}

function hintFor(
  pattern: string,
  { listed, silent }: { readonly listed: readonly ToolRef[]; readonly silent: readonly string[] },
): string {
  if (silent.length > 0) {
    return `${silent.map((server) => `"${server}"`).join(", ")} gives no list at the moment.`;
  }
  const near = nearestTool(pattern, listed);
  return near === undefined ? listTools(listed) : `Did you mean "${near}"?`;
}
