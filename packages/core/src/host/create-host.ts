import type { StandardSchemaV1 } from "@standard-schema/spec";
import { createValidator } from "#validator";
import { type ChainLedger, createChainLedger, type LedgerParts } from "../chain/chain-ledger.ts";
import type { ChainResult } from "../chain/chain-result.ts";
import { createMemoryStore } from "../chain/chain-store.ts";
import {
  type ChainProgress,
  type ChainRules,
  type NextHop,
  planNextHop,
} from "../chain/next-hop.ts";
import { type ApprovalDecision, resumeChain } from "../chain/resume-chain.ts";
import { type ChainParts, runChain } from "../chain/run-chain.ts";
import type { ToolrailError } from "../errors.ts";
import type { Hop } from "../result/hop.ts";
import type { CallOptions, CallRequest } from "./call-request.ts";
import { createSchemaChecks } from "./checks.ts";
import { argumentDefect, type CallVerdict, checkAtDoor, passDoor } from "./door.ts";
import type { DoorParts } from "./door-parts.ts";
import type { HostEvent } from "./events.ts";
import type { HostOptions, ToolSchemas } from "./host-options.ts";
import { resolveLimits } from "./limits.ts";
import { createToolScreen } from "./screen-tools.ts";
import { createServerLists } from "./server-lists.ts";
import type { HostProblem, HostTool, ToolName } from "./tool.ts";
import { toPattern, toToolTest } from "./tool-patterns.ts";

/** The one place through which tools are called. Made by `createHost`. */
export interface Host {
  /** Tools that may be called now, app-only ones included (`forModel` tells them). */
  readonly tools: readonly HostTool[];
  /** What is wrong with single servers and tools; the others are not affected. */
  readonly problems: readonly HostProblem[];
  /** True where calls are authorized one by one, so that any call may have to wait for a person. */
  readonly mayAsk: boolean;
  /**
   * The tool of that name. Throws `unknown-tool`, `ambiguous-tool`, `quarantined-tool`, `not-allowed`
   * or `server-unavailable`.
   */
  find(tool: ToolName): HostTool;
  /**
   * Makes one call through the door; a `nextTool` in its result is not followed. A tool's `isError` is
   * a result like any other. Rejects with `ToolrailError` where there is no result.
   */
  call(request: CallRequest, options?: CallOptions): Promise<Hop>;
  /** What the door would say to a call, `authorize` included, without making it. Never rejects. */
  check(request: CallRequest, options?: CallOptions): Promise<CallVerdict>;
  /** Why the door would not send these arguments, or `undefined`. Asks nobody, `authorize` included. */
  checkArguments(request: CallRequest): ToolrailError | undefined;
  /** Makes a call and all that follow from it. Never rejects: see `ended` and `error`. */
  run(request: CallRequest, options?: CallOptions): Promise<ChainResult>;
  /** As `run`, yielding each hop when it is there; returns the same result. */
  stream(request: CallRequest, options?: CallOptions): AsyncGenerator<Hop, ChainResult, undefined>;
  /**
   * Goes on with a chain that needs approval. No call that was made is made again, and the pending call
   * must still follow from the last result. Rejects with `invalid-options` for any other chain.
   */
  resume(
    chain: ChainResult,
    decision: ApprovalDecision,
    options?: CallOptions,
  ): Promise<ChainResult>;
  /** What follows from a hop, for those who make each call of a chain themselves. */
  nextHop(hop: Hop, before?: ChainProgress): NextHop;
  /** Hops that are decided and not yet made, for those who let a framework make each one. */
  readonly ledger: ChainLedger;
  /** Passes an event on to `onEvent`, for what is built on a host. Absent where nobody listens. */
  readonly report?: ((event: HostEvent) => void) | undefined;
  /** The clock of the host: milliseconds since the epoch. */
  now(): number;
  /** A new id, as calls and runs have it. */
  newId(): string;
  /** Reads the tools of all servers, or of one, again. A server that does not answer keeps its old list. */
  refresh(server?: string): Promise<void>;
  /** Closes the clients, except shared ones. Calls after this reject with `host-closed`. */
  close(): Promise<void>;
}

/** The typed face of `call` where parsers are registered. */
export interface TypedCalls<Schemas extends ToolSchemas> {
  /** Carries the types of the parsers; there is no such value. */
  readonly "~schemas"?: Schemas;
  call<Name extends keyof Schemas & string>(
    request: CallRequest<Name>,
    options?: CallOptions,
  ): Promise<Hop<StandardSchemaV1.InferOutput<Schemas[Name]>>>;
}

/**
 * Reads the tools of all servers and opens the door to them. A server that does not answer becomes a
 * problem of the host; only where none answers this rejects, with `server-unavailable`.
 */
export async function createHost<const Schemas extends ToolSchemas = Record<never, never>>(
  options: HostOptions<Schemas>,
): Promise<TypedCalls<Schemas> & Host> {
  const limits = resolveLimits(options.limits);
  const now = options.now ?? (() => performance.timeOrigin + performance.now());
  const newId = options.newId ?? (() => crypto.randomUUID());
  const emit = toEmitter(options.onEvent);
  const isAllowed = options.allow === undefined ? () => true : toToolTest(options.allow, "allow");
  const validator = options.validator ?? createValidator();
  const screen = createToolScreen(options, validator);
  const lists = createServerLists({ options, limits, isAllowed, screen, now, emit });
  const rules: ChainRules = {
    nextToolKeys: options.nextToolKeys ?? ["nextTool", "openai/nextTool"],
    maxChainDepth: limits.maxChainDepth,
    crossServer: (options.crossServerChains ?? []).map(({ from, to }) => ({
      from: toPattern(from, "crossServerChains.from"),
      to: toPattern(to, "crossServerChains.to"),
    })),
  };
  const door: DoorParts = {
    options,
    parsers: new Map(Object.entries(options.schemas ?? {})),
    limits,
    checks: createSchemaChecks(validator),
    now,
    newId,
    emit,
    catalog: lists.catalog,
    port: lists.port,
  };
  const nextHop: Host["nextHop"] = (hop, before) =>
    planNextHop(rules, lists.catalog(), hop, before);
  const reportEnd: LedgerParts["onEnd"] = ({ runId, ended, hops, error }) => {
    const code = error && { code: error.code };
    emit?.({ type: "chain-ended", atMs: now(), runId, ended, hops, ...code });
  };
  const ledger = createChainLedger({
    store: options.chainStore ?? createMemoryStore(limits.maxPendingHops, now),
    ttlMs: limits.pendingHopTtlMs,
    now,
    next: nextHop,
    checkArguments: (request) => argumentDefect(door, request),
    onEnd: reportEnd,
  });
  const chain: ChainParts = {
    call: (request, callOptions) => passDoor(door, request, callOptions),
    next: nextHop,
    toPending: (request, callOptions) => toPending(lists.catalog, request, callOptions),
    runTimeoutMs: limits.runTimeoutMs,
    now,
    onEnd: (result) => reportEnd({ ...result, hops: result.hops.length }),
  };
  await lists.open();
  const host: Host = {
    get tools() {
      return lists.catalog().tools;
    },
    get problems() {
      return lists.catalog().problems;
    },
    mayAsk: options.authorize !== undefined,
    find: (tool) => lists.catalog().find(tool),
    call: (request, callOptions = {}) => passDoor(door, request, callOptions),
    check: (request, callOptions = {}) => checkAtDoor(door, request, callOptions),
    checkArguments: (request) => argumentDefect(door, request),
    run: (request, callOptions = {}) => finish(host.stream(request, callOptions)),
    stream: (request, callOptions = {}) =>
      runChain(chain, { request, runId: callOptions.runId ?? newId() }, callOptions),
    resume: (paused, decision, callOptions = {}) =>
      finish(resumeChain(chain, paused, decision, callOptions)),
    nextHop,
    ledger,
    report: emit,
    now,
    newId,
    refresh: lists.refresh,
    close: lists.close,
  };
  return host as TypedCalls<Schemas> & Host;
}

async function finish(hops: AsyncGenerator<Hop, ChainResult, undefined>): Promise<ChainResult> {
  for (;;) {
    const step = await hops.next();
    if (step.done) return step.value;
  }
}

function toPending(
  catalog: DoorParts["catalog"],
  request: CallRequest,
  { origin = { by: "application" } }: CallOptions,
) {
  try {
    const { server, name } = catalog().find(request.tool);
    return { server, tool: name, arguments: request.arguments ?? {}, origin };
  } catch {
    return undefined; // The door will say why.
  }
}

function toEmitter(listener: HostOptions["onEvent"]): ((event: HostEvent) => void) | undefined {
  if (!listener) return undefined;
  return (event) => {
    try {
      listener(event);
    } catch {
      // An audit that fails must not undo a call that was made.
    }
  };
}
