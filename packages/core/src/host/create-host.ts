import type { StandardSchemaV1 } from "@standard-schema/spec";
import {
  type AdapterCallOptions,
  type CallOptions,
  type CallRequest,
  checkCallOptions,
  checkRequest,
  type ToolCall,
} from "../call/call-options.ts";
import { notify } from "../call/events.ts";
import type { HostParts } from "../call/host-parts.ts";
import { DEFAULT_LIMITS, resolveLimits } from "../call/limits.ts";
import { checkCall, makeCall } from "../call/make-call.ts";
import type { KeepOptions, Plugin, PluginKit, PluginTool } from "../call/plugin.ts";
import { isDestructive } from "../call/policies.ts";
import { MemoryStore, OpenedStore } from "../call/store.ts";
import { type ToolName, toToolTest } from "../call/tool.ts";
import { createSchemaChecks } from "../call/value-checks.ts";
import { Voice } from "../call/voice.ts";
import { type OnHop, resumeChain, runChain } from "../chain/run-chain.ts";
import { createOptionCheck } from "../check-options.ts";
import { shorten } from "../json/plain-text.ts";
import { createValidator } from "../json/validator.ts";
import type { ChainResult, Decision, Hop } from "../result/hop.ts";
import type { LinkedServer, PortSource } from "../servers/server-link.ts";
import { ServerLists } from "../servers/server-lists.ts";
import { toPort } from "../servers/to-port.ts";
import { type EngineParts, engineOf, HostEngine, withEngine } from "./engine.ts";
import type { Host, TypedHost } from "./host.ts";
import {
  checkOptions,
  collectNames,
  type DescribedServer,
  type HostOptions,
  readPolicies,
  readServers,
  type ToolSchemas,
} from "./host-options.ts";
import { collectHooks, createPlugins, ToolScreen, toServers } from "./plugins.ts";

/**
 * Creates a host, which reads the tools of all servers and calls them. A server that does not answer becomes a problem of the host.
 * Rejects with `server-unavailable` if no server answers and none is given as a function.
 */
export async function createHost<const Schemas extends ToolSchemas = Record<never, never>>(
  options: HostOptions<Schemas>,
): Promise<TypedHost<Schemas>> {
  checkOptions(options);
  const { schemas = {}, use = [], allow, onEvent, onInputRequest } = options;
  const { validator = createValidator() } = options;
  // Never goes back, as `Date.now()` may.
  const now = () => performance.timeOrigin + performance.now();
  const newId = () => crypto.randomUUID();
  const limits = resolveLimits(DEFAULT_LIMITS, options.limits);
  const given = readServers(options.servers);
  const parsers = new Map(Object.entries<StandardSchemaV1>(schemas));
  const named = collectNames(options);
  const own = readPolicies(options);

  const others: Plugin[] = [];
  const voice = new Voice({ onEvent, others, now });
  const kit: PluginKit = {
    ...{ now, newId, store: options.store, limits, validator },
    watchNames: (names) => void named.push(...names),
    report(event) {
      if (event.type !== "warning") voice.emit(event);
      else voice.warn(event.code, "about" in event ? event.about : undefined);
    },
  };
  const plugins = await createPlugins(use, kit);
  const hooks = collectHooks(plugins);
  others.push(...plugins.filter((plugin) => plugin.onEvent));

  const onForget = () => voice.tell({ type: "store-full", atMs: now() });
  const memory = () => new MemoryStore({ maxBytes: limits.maxStoreBytes, now, onForget });
  const store = new OpenedStore(options.store ?? memory());

  const toSource = (name: string, client: DescribedServer["client"]): PortSource => {
    if (typeof client !== "function") return toPort(name, client);
    const elicitation = onInputRequest !== undefined;
    return async (signal) => toPort(name, await client(host, { signal, elicitation }));
  };
  const linked = [...given].map(([name, { client, ...server }]): [string, LinkedServer] => {
    const prefix = server.prefix || given.size > 1;
    return [name, { ...server, prefix, source: toSource(name, client) }];
  });
  const screen = new ToolScreen(plugins, { validator });
  const servers = new ServerLists({
    ...{ hooks, limits, now, voice, named },
    servers: new Map([...linked, ...toServers(plugins, given)]),
    isAllowed: allow === undefined ? () => true : toToolTest(allow, "allow"),
    screen: (list) => screen.check(list),
  });
  const parts: EngineParts = {
    servers,
    hooks,
    limits,
    now,
    newId,
    voice,
    store,
    parsers,
    onInputRequest,
    policies: [
      ...own.policies,
      ...hooks.authorize.map((ask) => async (call: ToolCall) => (await ask(call)) ?? "allow"),
    ],
    asksIfDestructive: own.asksIfDestructive,
    checks: createSchemaChecks(validator),
    underWay: new Map(),
    secret: options.secret,
  };
  const isOnce = options.store?.claim !== undefined;
  const engine = new HostEngine(parts, { isOnce, validator });
  const host: Host = withEngine(new ToolHost(), engine);
  const tools = await servers.open();
  const asking = tools.filter(isDestructive).map(({ id }) => shorten(id));
  if (own.asksIfDestructive && !options.requireApproval && asking.length > 0) {
    const named = [...asking.slice(0, 5), ...(asking.length > 5 ? ["…"] : [])].join(", ");
    voice.warn("asks-by-default", `${asking.length} of ${tools.length} tools (${named})`);
  }
  return host as unknown as TypedHost<Schemas>;
}

/** The host of an application. It has no state of its own, so that an application may wrap it: its parts are those of its engine. */
class ToolHost implements Host {
  get tools(): Host["tools"] {
    return partsOf(this).servers.catalog().tools;
  }

  get problems(): Host["problems"] {
    return partsOf(this).servers.catalog().problems;
  }

  get instructions(): Host["instructions"] {
    return partsOf(this).servers.instructions();
  }

  find(tool: ToolName) {
    return partsOf(this).servers.catalog().find(tool);
  }

  async check(request: CallRequest, options: CallOptions = {}) {
    checkRequest("host.check", { request, options });
    return checkCall(partsOf(this), { request, options });
  }

  async call(request: CallRequest, options: CallOptions = {}) {
    checkRequest("host.call", { request, options });
    return makeCall(partsOf(this), { request, options });
  }

  async run(request: CallRequest, options: AdapterCallOptions = {}) {
    checkRequest("host.run", { request, options });
    const parts = partsOf(this);
    const { runId = parts.newId() } = options;
    return runChain(parts, { request, runId, onHop: toListener(parts, options) }, options);
  }

  async resume(paused: ChainResult, decision: Decision, options: CallOptions = {}) {
    checkCallOptions(options, "host.resume");
    const parts = partsOf(this);
    return resumeChain(parts, { paused, decision, onHop: toListener(parts, options) }, options);
  }

  async keep<Source extends Hop | ChainResult>(
    source: Source,
    options: KeepOptions = {},
  ): Promise<Source> {
    checkKeep(options);
    const parts = partsOf(this);
    return parts.hooks.keepHop.length === 0 ? source : keepSource(parts, source, options);
  }

  refresh(server?: string) {
    return partsOf(this).servers.refresh(server);
  }

  close() {
    return partsOf(this).servers.close();
  }
}

function partsOf(host: Host): EngineParts {
  return engineOf(host).parts;
}

/** Lets the plugins with `keepHop` shorten each hop, one after another. */
async function keepSource<Source extends Hop | ChainResult>(
  { hooks, servers }: EngineParts,
  source: Source,
  options: KeepOptions,
): Promise<Source> {
  const { tools: offered } = servers.catalog();
  const keep = async (hop: Hop) => {
    let kept = hop;
    for (const plugin of hooks.plugins) {
      const { name: server, tools = [] } = plugin;
      const isOffered = ({ name }: PluginTool) =>
        offered.some((tool) => tool.server === server && tool.name === name);
      // `allow` may leave out the tools that a text would mention.
      const canRead = options.canRead !== false && tools.every(isOffered);
      kept = (await plugin.keepHop?.(kept, { ...options, canRead })) ?? kept;
    }
    return kept;
  };
  if (!("hops" in source)) return keep(source as Hop) as Promise<Source>;
  return { ...source, hops: await Promise.all(source.hops.map(keep)) };
}

const checkKeep = /* @__PURE__ */ createOptionCheck<KeepOptions>("host.keep", {
  conversation: "id",
  canRead: "boolean",
});

/** Returns the listener of a run without its errors, which must end nothing: the call was made. */
function toListener(host: HostParts, { onHop }: CallOptions): OnHop | undefined {
  return onHop && ((hop) => notify({ onHop }, hop, host.voice));
}
