import { createValidator } from "#validator";
import { answerElicitation } from "../call/ask-user.ts";
import { toAudience } from "../call/audiences.ts";
import { isOnce } from "../call/call-once.ts";
import { bindingOf } from "../call/definition.ts";
import { argumentDefect } from "../call/door.ts";
import type { DoorParts } from "../call/door-parts.ts";
import type { HostEvent } from "../call/events.ts";
import { DEFAULT_LIMITS, resolveLimits } from "../call/limits.ts";
import { createMemoryStore } from "../call/memory-store.ts";
import { notify } from "../call/notify.ts";
import { createOfferedLinks } from "../call/offered-links.ts";
import type { ClaimingStore } from "../call/store.ts";
import { toToolTest } from "../call/tool-patterns.ts";
import { createSchemaChecks } from "../call/value-checks.ts";
import { createNextHop } from "../chain/next-hop.ts";
import { ToolrailError } from "../errors.ts";
import type { Answer } from "../servers/client-questions.ts";
import { createModelNames } from "../servers/model-names.ts";
import type { PortSource } from "../servers/server-link.ts";
import { createServerLists } from "../servers/server-lists.ts";
import { toPort } from "../servers/to-port.ts";

import { checkOptions, namedTools, readersOf } from "./check-options.ts";
import { createClock } from "./clock.ts";
import type { Host, TypedHost } from "./host.ts";
import { type HostEngine, withEngine } from "./host-engine.ts";
import type { HostOptions, HostServer } from "./host-options.ts";
import { longResultsOf, railsOf } from "./load-on-demand.ts";
import { policiesOf } from "./policies-of.ts";
import { toHost } from "./to-host.ts";
import { toScreen } from "./to-screen.ts";
import { parsersOf, type ToolSchemas } from "./tool-schemas.ts";

/**
 * Makes a host: reads the tools of all servers and opens the one door to them. A server that does not answer becomes a
 * problem of the host. If none answers and none is given as a function, this rejects with `server-unavailable`.
 */
export async function createHost<const Schemas extends ToolSchemas = Record<never, never>>(
  options: HostOptions<Schemas>,
): Promise<TypedHost<Schemas>> {
  checkOptions(options);
  const rails = await railsOf(options);
  const policies = policiesOf(options);
  const { schemas = {} } = options;
  const parsers = parsersOf(schemas, "output");
  const limits = resolveLimits(DEFAULT_LIMITS, options.limits);
  const {
    now = createClock(),
    newId = () => crypto.randomUUID(),
    validator = createValidator(),
    onEvent,
  } = options;
  const emit = onEvent && ((event: HostEvent) => void notify(onEvent, event));
  const onForget = (scope: string) => emit?.({ type: "store-full", atMs: now(), scope });
  const { maxStoreBytes: maxBytes, maxScopeBytes } = limits;
  const { store = createMemoryStore({ maxBytes, maxScopeBytes, now, onForget }) } = options;
  const long = await longResultsOf(options, {
    store: options.store,
    now,
    newId,
    onForget,
    limits,
    warn: (code) => engine.warn(code),
  });
  const sources = new Map(
    serversOf(options).map(([server, option]): [string, PortSource] => {
      const answer: Answer = (params, signal) =>
        answerElicitation(door, { server, params, signal });
      if (typeof option !== "function") return [server, toPort(server, option, { answer })];
      return [server, async () => toPort(server, await option(host), { answer })];
    }),
  );
  const lists = createServerLists({
    sources,
    hooks: options,
    limits,
    readsResources: readersOf(options),
    toModelName: createModelNames(Object.keys(options.servers), options.serverPrefix),
    isAllowed: options.allow === undefined ? () => true : toToolTest(options.allow, "allow"),
    named: namedTools(options),
    screen: toScreen(options, { validator, parsers }),
    now,
    emit,
    onTools(tools) {
      const isDestructive = tools.some((tool) => tool.annotations?.destructiveHint === true);
      if (isDestructive && !policies) engine.warn("nobody-is-asked");
    },
  });
  const door: DoorParts = {
    ...lists,
    hooks: options,
    policies,
    links: options.readResources ? createOfferedLinks(now, limits.pendingHopTtlMs) : undefined,
    parsers,
    inputParsers: parsersOf(schemas, "input"),
    limits,
    checks: createSchemaChecks(validator),
    spent: new WeakSet(),
    store,
    recorders: new Set(),
    rows: long?.hopRows?.rows,
    withAudience: toAudience(options.audience),
    claims: options.store?.claim && (options.store as ClaimingStore),
    resolve: long?.resolve,
    afterCrash: options.afterCrash ?? "ask",
    sources: options.sources?.({ store }),
    now,
    newId,
    emit,
  };
  const warned = new Set<string>();
  const engine: HostEngine = {
    mayAsk: policies !== undefined,
    get mayWait() {
      if (policies !== undefined || door.claims !== undefined) return true;
      return !options.onQuestion && lists.mayAsk();
    },
    settle: lists.settleAll,
    isOnce: (tool) => isOnce(door, tool),
    hasParser: (id) => door.parsers.has(id),
    checkArguments: (request) => argumentDefect(door, request),
    bindingOf: async (call) => bindingOf({ ...call, ...(await long?.resolve(call)) }),
    kept: long?.kept,
    hopRows: long?.hopRows,
    nextHop: createNextHop({
      nextToolKeys: options.nextToolKeys ?? ["nextTool", "openai/nextTool"],
      maxChainDepth: limits.maxChainDepth,
      rails,
      onUnread: (rule, { runId, callId }) =>
        emit?.({ type: "rail-unread", atMs: now(), runId, callId, rule }),
      catalog: lists.catalog,
      traceparentOf: options.traceparentOf,
      settle: lists.settle,
    }),
    report: emit,
    hasListener: options.onHop !== undefined,
    recorders: door.recorders,
    warn(code) {
      if (!warned.has(code)) emit?.({ type: "warning", atMs: now(), code });
      warned.add(code);
    },
    store,
    secret: toSecret(options.secret),
    ticketTtlMs: limits.pendingHopTtlMs,
    now,
    newId,
    onEnd({ runId, ended, hops, error }) {
      const code = error && { code: error.code };
      emit?.({ type: "chain-ended", atMs: now(), runId, ended, hops, ...code });
    },
  };
  const host: Host = withEngine(toHost(door, { engine, lists, keep: long?.keep }), engine);
  await lists.open();
  return host as unknown as TypedHost<Schemas>;
}

function serversOf({ servers }: Partial<HostOptions>): [string, HostServer][] {
  const entries = Object.entries(servers ?? {});
  if (entries.length > 0 && entries.every(([name]) => name !== "")) return entries;
  const message = "`servers` needs at least one client or port, by the name of its server.";
  throw new ToolrailError("invalid-options", message);
}

function toSecret(secret: string = crypto.randomUUID()): string {
  if (secret.length >= 32) return secret;
  const message = "`secret` must be at least 32 random characters long.";
  throw new ToolrailError("invalid-options", message);
}
