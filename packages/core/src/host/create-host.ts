import { createValidator } from "#validator";
import { checkAtDoor } from "../call/admission.ts";
import { answerElicitation } from "../call/ask-user.ts";
import { isOnce } from "../call/call-once.ts";
import { argumentDefect, passDoor } from "../call/door.ts";
import type { DoorParts } from "../call/door-parts.ts";
import type { HostEvent } from "../call/events.ts";
import { DEFAULT_LIMITS, resolveLimits } from "../call/limits.ts";
import { createMemoryStore } from "../call/memory-store.ts";
import { notify } from "../call/notify.ts";
import type { ClaimingStore } from "../call/store.ts";
import type { HostTool } from "../call/tool.ts";
import { toPattern, toToolTest } from "../call/tool-patterns.ts";
import type { ScreenVerdict } from "../call/tool-screen.ts";
import { createSchemaChecks } from "../call/value-checks.ts";
import { createNextHop } from "../chain/next-hop.ts";
import { resumeChain } from "../chain/resume-chain.ts";
import { type ChainParts, runChain } from "../chain/run-chain.ts";
import { ToolrailError } from "../errors.ts";
import type { ChainResult } from "../result/chain-result.ts";
import type { Hop } from "../result/hop.ts";
import type { JsonSchemaValidator } from "../schema/json-schema.ts";
import type { Answer } from "../servers/client-questions.ts";
import { createModelNames } from "../servers/model-names.ts";
import { toPort } from "../servers/sdk-clients.ts";
import { createServerLink } from "../servers/server-link.ts";
import { createServerLists, type ServerLists } from "../servers/server-lists.ts";
import { checkOptions, namedTools } from "./check-options.ts";
import type { Host, TypedCalls } from "./host.ts";
import { type HostEngine, withEngine } from "./host-engine.ts";
import type { HostOptions, HostServer, ToolSchemas } from "./host-options.ts";

/**
 * Reads the tools of all servers and opens the door to them. A server that does not answer becomes a
 * problem of the host. Where none answers and none is given as a function, this rejects with `server-unavailable`.
 */
export async function createHost<const Schemas extends ToolSchemas = Record<never, never>>(
  options: HostOptions<Schemas>,
): Promise<TypedCalls<Schemas> & Host> {
  checkOptions(options);
  const limits = resolveLimits(DEFAULT_LIMITS, options.limits);
  const {
    now = () => performance.timeOrigin + performance.now(),
    newId = () => crypto.randomUUID(),
    validator = createValidator(),
    onEvent,
  } = options;
  const emit = onEvent && ((event: HostEvent) => void notify(onEvent, event));
  const onForget = (scope: string) => emit?.({ type: "store-full", atMs: now(), scope });
  const { maxStoreBytes: maxBytes, maxScopeBytes } = limits;
  const { store = createMemoryStore({ maxBytes, maxScopeBytes, now, onForget }) } = options;
  const links = new Map(
    serversOf(options).map(([server, option]) => {
      const isMade = typeof option === "function";
      const answer: Answer = (params, signal) =>
        answerElicitation(door, { server, params, signal });
      const source = isMade
        ? async () => toPort(server, await option(host), { answer })
        : toPort(server, option, { answer });
      const onState = (state: "connected" | "lost") =>
        emit?.({ type: "server", atMs: now(), server, state });
      const link = createServerLink(server, { source, timeoutMs: limits.callTimeoutMs, onState });
      return [server, link];
    }),
  );
  const lists = createServerLists({
    links,
    requestMeta: options.requestMeta,
    limits,
    toModelName: createModelNames(Object.keys(options.servers)),
    isAllowed: options.allow === undefined ? () => true : toToolTest(options.allow, "allow"),
    named: namedTools(options),
    screen: toScreen(options, validator),
    now,
    emit,
  });
  const door: DoorParts = {
    hooks: options,
    parsers: new Map(Object.entries(options.schemas ?? {})),
    limits,
    checks: createSchemaChecks(validator),
    spent: new WeakSet(),
    store,
    claims: options.store?.claim && (options.store as ClaimingStore),
    afterCrash: options.afterCrash ?? "ask",
    now,
    newId,
    emit,
    find: lists.find,
    settle: lists.settle,
    port: lists.port,
    refresh: lists.refresh,
  };
  const warned = new Set<string>();
  const engine: HostEngine = {
    mayAsk: options.authorize !== undefined,
    get mayWait() {
      if (options.authorize !== undefined || door.claims !== undefined) return true;
      return !options.onQuestion && [...links.values()].some((link) => link.mayAsk());
    },
    settle() {
      const news = [...links.keys()].flatMap((server) => lists.settle(server) ?? []);
      return news.length > 0 ? Promise.all(news) : undefined;
    },
    isOnce: (tool) => isOnce(door, tool),
    hasParser: (id) => door.parsers.has(id),
    checkArguments: (request) => argumentDefect(door, request),
    nextHop: createNextHop({
      nextToolKeys: options.nextToolKeys ?? ["nextTool", "openai/nextTool"],
      maxChainDepth: limits.maxChainDepth,
      crossServer: (options.crossServerChains ?? []).map(({ from, to }) => ({
        from: toPattern(from, "crossServerChains.from"),
        to: toPattern(to, "crossServerChains.to"),
      })),
      catalog: lists.catalog,
      settle: lists.settle,
    }),
    report: emit,
    hasListener: options.onHop !== undefined,
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
  const host: Host = withEngine(toHost(door, { engine, lists }), engine);
  await lists.open();
  return host as TypedCalls<Schemas> & Host;
}

function toHost(
  door: DoorParts,
  { engine, lists }: { readonly engine: HostEngine; readonly lists: ServerLists },
): Host {
  const call: ChainParts["call"] = async (request, options) => {
    const waking = lists.wake(request.tool, options.signal);
    if (waking !== undefined) await waking;
    return passDoor(door, request, options);
  };
  const { find } = door;
  const chain: ChainParts = { ...engine, call, find, runTimeoutMs: door.limits.runTimeoutMs };
  const stream: Host["stream"] = (request, options = {}) => {
    const { admission } = options;
    const admitted = admission?.type === "allow" ? admission.call.runId : undefined;
    const runId = options.runId ?? admitted ?? door.newId();
    return runChain(chain, { request, runId }, options);
  };
  return {
    get tools() {
      return lists.catalog().tools;
    },
    get problems() {
      return lists.catalog().problems;
    },
    find: (tool) => lists.catalog().find(tool),
    async check(request, options = {}) {
      await lists.wake(request.tool, options.signal);
      return checkAtDoor(door, request, options);
    },
    call: (request, options = {}) => call(request, options),
    run: (request, options) => finish(stream(request, options)),
    stream,
    resume: (paused, decision, options = {}) =>
      finish(resumeChain(chain, { paused, decision }, options)),
    refresh: lists.refresh,
    close: lists.close,
  };
}

async function finish(hops: AsyncGenerator<Hop, ChainResult, undefined>): Promise<ChainResult> {
  for (;;) {
    const step = await hops.next();
    if (step.done) return step.value;
  }
}

function serversOf({ servers }: Pick<HostOptions, "servers">): [string, HostServer][] {
  const entries = Object.entries(servers);
  if (entries.length > 0 && entries.every(([name]) => name !== "")) return entries;
  const message = "`servers` needs at least one client or port, by the name of its server.";
  throw new ToolrailError("invalid-options", message);
}

function toSecret(secret: string = crypto.randomUUID()): string {
  if (secret.length >= 32) return secret;
  const message = "`secret` must be at least 32 random characters long.";
  throw new ToolrailError("invalid-options", message);
}

/** All screens of a host as one, which asks again only about tools that have changed. */
function toScreen(
  { screen: screens = [], schemas = {} }: Pick<HostOptions, "screen" | "schemas">,
  validator: JsonSchemaValidator,
): ((tool: HostTool) => Promise<ScreenVerdict[]>) | undefined {
  if (screens.length === 0) return undefined;
  const verdicts = new WeakMap<HostTool, Promise<ScreenVerdict[]>>();
  return (tool) => {
    const context = { validator, hasParser: Object.hasOwn(schemas, tool.id) };
    const asked = verdicts.get(tool) ?? Promise.all(screens.map((screen) => screen(tool, context)));
    verdicts.set(tool, asked);
    return asked;
  };
}
