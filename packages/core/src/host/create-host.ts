import { createValidator } from "@toolrail/json/schema";
import { placeAfter, toBinding } from "../call/approval.ts";
import { answerElicitation } from "../call/ask-user.ts";
import { toAudience } from "../call/audiences.ts";
import { isOnce } from "../call/call-once.ts";
import { argumentDefect } from "../call/door.ts";
import type { DoorParts } from "../call/door-parts.ts";
import { DEFAULT_LIMITS, resolveLimits } from "../call/limits.ts";
import { createMemoryStore } from "../call/memory-store.ts";
import { createOfferedLinks } from "../call/offered-links.ts";
import { isDestructive } from "../call/policies.ts";
import { toClaiming } from "../call/store.ts";
import { toToolTest } from "../call/tool-patterns.ts";
import { createSchemaChecks, parserOf } from "../call/value-checks.ts";
import { createVoice } from "../call/voice.ts";
import { createNextHop } from "../chain/next-hop.ts";
import type { Answer } from "../servers/client-questions.ts";
import { createModelNames } from "../servers/model-names.ts";
import type { PortSource } from "../servers/server-link.ts";
import { createServerLists } from "../servers/server-lists.ts";
import { toPort } from "../servers/to-port.ts";
import type { ClaimingStore } from "../types/store.ts";
import { checkOptions } from "./check-options.ts";
import type { Host, TypedHost } from "./host.ts";
import { type HostEngine, withEngine } from "./host-engine.ts";
import type { HostOptions } from "./host-options.ts";
import {
  namedTools,
  policiesOf,
  readersOf,
  screenOf,
  secretOf,
  serversOf,
} from "./read-options.ts";
import { toHost } from "./to-host.ts";
import { parsersOf, type ToolSchemas } from "./tool-schemas.ts";

/**
 * Makes a host: reads the tools of all servers and opens the one door to them. A server that does not answer becomes a
 * problem of the host. If none answers and none is given as a function, this rejects with `server-unavailable`.
 */
export async function createHost<const Schemas extends ToolSchemas = Record<never, never>>(
  options: HostOptions<Schemas>,
): Promise<TypedHost<Schemas>> {
  checkOptions(options);
  const policies = policiesOf(options);
  const { schemas = {}, rails, references = false } = options;
  const limits = resolveLimits(DEFAULT_LIMITS, options.limits);
  const {
    now = createClock(),
    newId = () => crypto.randomUUID(),
    validator = createValidator(),
  } = options;
  const { emit, tell } = await createVoice(options);
  const onForget = (scope: string) => tell({ type: "store-full", atMs: now(), scope });
  const { maxStoreBytes: maxBytes, maxScopeBytes } = limits;
  const { store = createMemoryStore({ maxBytes, maxScopeBytes, now, onForget }) } = options;
  const shared = {
    hooks: options,
    parsers: parsersOf(schemas, "output"),
    policies,
    limits,
    store,
    now,
    newId,
    emit,
    tell,
  };
  // A page without rails or long results does not load what they need.
  const compiled = rails && (await import("../chain/compile-rails.ts")).compileRails(rails);
  const { askRails } = compiled ? await import("../chain/ask-rails.ts") : {};
  const long = references
    ? (await import("./long-results.ts")).createLongResults(references === true ? {} : references, {
        ...shared,
        store: options.store,
        onForget,
        warn: (code) => engine.warn(code),
      })
    : undefined;
  const sources = new Map(
    serversOf(options).map(([server, option]): [string, PortSource] => {
      const answer: Answer = (params, signal) =>
        answerElicitation(door, { server, params, signal });
      if (typeof option !== "function") return [server, toPort(server, option, { answer })];
      const connect = async (signal: AbortSignal) => {
        const elicitation = options.onQuestion !== undefined;
        return toPort(server, await option(host, { signal, elicitation }), { answer });
      };
      return [server, connect];
    }),
  );
  let asksByDefault = false;
  const lists = createServerLists({
    ...shared,
    named: namedTools(options),
    sources,
    readsResources: readersOf(options),
    toModelName: createModelNames(Object.keys(options.servers), options.serverPrefix),
    isAllowed: options.allow === undefined ? () => true : toToolTest(options.allow, "allow"),
    screen: screenOf(options, { validator, parsers: shared.parsers }),
    onTools(tools) {
      asksByDefault = !policies && tools.some(isDestructive);
    },
  });
  const door: DoorParts = {
    ...shared,
    ...lists,
    links: options.readResources ? createOfferedLinks(now, limits.pendingHopTtlMs) : undefined,
    inputParsers: parsersOf(schemas, "input"),
    checks: createSchemaChecks(validator),
    rows: long?.hopRows?.rows,
    audience: toAudience(options),
    claims: options.store?.claim && (options.store as ClaimingStore),
    spends: toClaiming(store),
    resolve: long?.resolve,
    afterCrash: options.afterCrash ?? "ask",
    invalidOutput: options.invalidOutput ?? "fail",
    sources: options.sources?.({ store, now }),
  };
  const warned = new Set<string>();
  const engine: HostEngine = {
    ...shared,
    mayAsk(tool) {
      if (policies !== undefined) return true;
      if (!tool) return asksByDefault || lists.asksForNames();
      return isDestructive(tool) || lists.whyAsk(tool) !== undefined;
    },
    get mayWait() {
      if (engine.mayAsk() || door.claims !== undefined) return true;
      return !options.onQuestion && lists.mayAsk();
    },
    settle: lists.settleAll,
    isOnce: (tool, place) => isOnce(door, tool, place),
    placeAfter: (call) => placeAfter(call, door),
    hasParser: (tool) => parserOf(door.parsers, tool) !== undefined,
    watchNames: (option, patterns) => lists.watch(patterns.map((pattern) => ({ option, pattern }))),
    checkArguments: (request) => argumentDefect(door, request),
    async bindingOf({ written, ...call }) {
      const asked = { ...call, ...(written && { arguments: written }) };
      return toBinding(door, { ...asked, ...(await long?.resolve(asked)) }, { slot: newId() });
    },
    kept: long?.kept,
    hopRows: long?.hopRows,
    nextHop: createNextHop({
      nextToolKeys: options.nextToolKeys ?? ["nextTool", "openai/nextTool"],
      maxChainDepth: limits.maxChainDepth,
      askRails,
      rails: compiled ?? { calls: [], mayReach: () => false },
      onSkipped: (skipped, { runId, callId, ...hop }) =>
        emit?.({
          type: "rail-skipped",
          atMs: now(),
          runId,
          callId,
          tool: `${hop.server}.${hop.tool}`,
          ...skipped,
        }),
      catalog: lists.catalog,
      traceparentOf: options.traceparentOf,
      settle: lists.settle,
    }),
    report: emit,
    hasListener: options.onHop !== undefined,
    warn(code) {
      if (!warned.has(code)) tell({ type: "warning", atMs: now(), code });
      warned.add(code);
    },
    secret: secretOf(options.secret),
    ticketTtlMs: limits.pendingHopTtlMs,
    onEnd({ runId, ended, hops, error }) {
      const code = error && { code: error.code };
      emit?.({ type: "chain-ended", atMs: now(), runId, ended, hops, ...code });
    },
  };
  const host: Host = withEngine(toHost(door, { engine, lists, keep: long?.keep }), engine);
  await lists.open();
  return host as unknown as TypedHost<Schemas>;
}

/** Milliseconds since the epoch that never go back. Where there is no `performance`, as in a workflow's sandbox, those of `Date`. */
function createClock(): () => number {
  if (!("performance" in globalThis)) return () => Date.now();
  const { timeOrigin } = performance;
  return () => timeOrigin + performance.now();
}
