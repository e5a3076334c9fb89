import { readUser } from "../call/approval.ts";
import type { HostReport } from "../call/events.ts";
import type { HostParts } from "../call/host-parts.ts";
import { DEFAULT_LIMITS, resolveLimits } from "../call/limits.ts";
import type { PluginKit } from "../call/plugin.ts";
import { createMemoryStore, openStore } from "../call/store.ts";
import { type NamedTools, toToolTest } from "../call/tool.ts";
import { createSchemaChecks } from "../call/value-checks.ts";
import { createVoice, type Voice } from "../call/voice.ts";
import { createValidator } from "../json/validator.ts";
import type { PortSource } from "../servers/server-link.ts";
import { createServerLists } from "../servers/server-lists.ts";
import { toPort } from "../servers/to-port.ts";
import { createEngine, withEngine } from "./engine.ts";
import type { Host, TypedHost } from "./host.ts";
import {
  checkOptions,
  collectNames,
  type HostOptions,
  readPolicies,
  readSecret,
  readServers,
} from "./host-options.ts";
import { type PluginParts, readPlugins } from "./plugins.ts";
import { toHost } from "./to-host.ts";
import { collectParsers, type ToolSchemas } from "./tool-schemas.ts";

/** The most different warnings of a host, since a server can change what they are about as often as it likes. */
const MAX_WARNINGS = 100;

/**
 * Creates a host, which reads the tools of all servers and calls them. A server that does not answer becomes a problem of the host.
 * Rejects with `server-unavailable` if no server answers and none is given as a function.
 */
export async function createHost<const Schemas extends ToolSchemas = Record<never, never>>(
  options: HostOptions<Schemas>,
): Promise<TypedHost<Schemas>> {
  checkOptions(options);
  const own = readPolicies(options);
  const { schemas = {}, use = [] } = options;
  const limits = resolveLimits(DEFAULT_LIMITS, options.limits);
  const { validator = createValidator() } = options;
  const { now = createClock(), newId = () => crypto.randomUUID() } = options.clock ?? {};
  let voice: Voice = { emit() {}, tell() {} };
  const warned = new Set<string>();
  const warn: HostParts["warn"] = (code, about = "") => {
    const key = code + about;
    if (warned.has(key) || warned.size >= MAX_WARNINGS) return;
    warned.add(key);
    const subject = code === "listener-failed" ? { listener: about } : about && { about };
    voice.tell({ type: "warning", atMs: now(), code, ...subject } as HostReport);
  };
  const forget = (conversation: string) =>
    voice.tell({ type: "store-full", atMs: now(), conversation });
  const { maxStoreBytes: maxBytes, maxConversationBytes } = limits;
  const memory = () => createMemoryStore({ maxBytes, maxConversationBytes, now, onForget: forget });
  const store = openStore(options.store ?? memory());
  const parsers = collectParsers(schemas, "output");
  const watched: NamedTools[] = [];
  const kit: PluginKit = {
    ...{ now, newId, store: options.store, limits, validator },
    watchNames: (names) => void watched.push(...names),
    report: (event) => (event.type === "warning" ? warn(event.code) : voice.emit(event)),
  };
  const added: PluginParts = await readPlugins(use, {
    ...{ kit, parsers, servers: Object.keys(options.servers ?? {}) },
  });
  const { plugins, hooks } = added;
  voice = createVoice({ ...options, others: hooks.onEvent, warn });
  const { emit, tell } = voice;
  const shared = { hooks, parsers, limits, store, now, newId, emit, tell, warn };
  const servers = readServers(options);
  const given = servers.map(({ name: server, server: option }): [string, PortSource] => {
    if (typeof option !== "function") return [server, toPort(server, option)];
    const connect = async (signal: AbortSignal) => {
      const elicitation = options.onInputRequest !== undefined;
      return toPort(server, await option(host, { signal, elicitation }));
    };
    return [server, connect];
  });
  const names = servers.filter(({ prefix }) => prefix || servers.length > 1);
  const prefixed = [...names.map(({ name }) => name), ...added.ports.keys()];
  const lists = createServerLists({
    ...shared,
    named: collectNames(options, watched),
    sources: new Map([...given, ...added.ports]),
    prefixed,
    isAllowed: options.allow === undefined ? () => true : toToolTest(options.allow, "allow"),
    screen: added.screen,
    onTools: (tools) => engine.onTools(tools),
  });
  const once = plugins.find((plugin) => plugin.once !== undefined)?.once;
  const parts: HostParts = {
    ...shared,
    ...lists,
    policies: [...own.policies, ...added.policies],
    asksIfDestructive: own.asksIfDestructive,
    inputParsers: collectParsers(schemas, "input"),
    checks: createSchemaChecks(validator),
    claims: once ? openStore(once.store) : store,
    underWay: new Map(),
    secret: readSecret(options.secret),
    showsInvalid: new Set(
      servers.flatMap(({ name, invalidOutput }) => (invalidOutput === "show" ? name : [])),
    ),
    userOf: readUser,
    onInputRequest: options.onInputRequest,
  };
  const hasPolicies = own.policies.length > 0;
  const engine = createEngine(parts, {
    ...{ lists, servers, hasPolicies, validator },
    isOnce: once !== undefined || options.store?.claim !== undefined,
  });
  const host: Host = withEngine(toHost(parts, { engine, lists }), engine);
  await lists.open();
  return host as unknown as TypedHost<Schemas>;
}

/** Creates a clock of milliseconds since the epoch that never goes back. Without `performance`, as in a workflow's sandbox, it is `Date`. */
function createClock(): () => number {
  if (!("performance" in globalThis)) return () => Date.now();
  const { timeOrigin } = performance;
  return () => timeOrigin + performance.now();
}
