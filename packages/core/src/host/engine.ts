import { checkApproval, describeQuestion, ownerOf } from "../call/approval.ts";
import type { CallOptions, CallRequest, ToolCall } from "../call/call-options.ts";
import type { HostReport, WarningCode } from "../call/events.ts";
import type { HostParts } from "../call/host-parts.ts";
import { findArgumentDefect } from "../call/make-call.ts";
import { denyQuestion, recordDenial } from "../call/once.ts";
import { isDestructive } from "../call/policies.ts";
import { askStore, type ClaimingStore, toConversationKey } from "../call/store.ts";
import type { Tool } from "../call/tool.ts";
import { parserOf } from "../call/value-checks.ts";
import { type ChainSummary, decideNextHop, type NextHop } from "../chain/next-hop.ts";
import { reportEnd } from "../chain/run-chain.ts";
import { invalidOptions, type ToolrailError } from "../errors.ts";
import type { JsonSchemaValidator } from "../json/validator.ts";
import type { Hop } from "../result/hop.ts";
import type { ServerLists } from "../servers/server-lists.ts";
import type { Host } from "./host.ts";

const ENGINE = Symbol.for("toolrail.engine");

/** Attaches the engine to a host, so that two copies of the package can find it. */
export function withEngine(host: Host, engine: HostEngine): Host {
  return Object.defineProperty(host, ENGINE, { value: engine });
}

/** Returns the engine of a host. Throws `invalid-options` for anything that `createHost` did not create. */
export function engineOf(host: Host): HostEngine {
  const engine = (host as { readonly [ENGINE]?: HostEngine } | undefined)?.[ENGINE];
  if (engine) return engine;
  throw invalidOptions(
    "This is not a host: pass what `await createHost(...)` returns, not its promise or a copy.",
  );
}

/** The parts of a host, with all that it knows of its servers. */
export interface EngineParts extends HostParts {
  readonly servers: ServerLists;
}

type SealedCall = Pick<ToolCall, "tool" | "arguments" | "conversation">;

interface EngineOptions {
  /** True if each worker that has the store of this host makes a call with a key once. */
  readonly isOnce: boolean;
  readonly validator: JsonSchemaValidator;
}

/** What adapters and Toolrail's own packages use of a host besides its public interface. */
export class HostEngine {
  /** All parts, for the functions of this folder. */
  readonly parts: EngineParts;
  readonly isOnce: boolean;
  readonly validator: JsonSchemaValidator;
  readonly store: ClaimingStore;
  readonly now: HostParts["now"];
  readonly newId: HostParts["newId"];

  constructor(parts: EngineParts, { isOnce, validator }: EngineOptions) {
    this.parts = parts;
    this.isOnce = isOnce;
    this.validator = validator;
    this.store = parts.store;
    this.now = parts.now;
    this.newId = parts.newId;
  }

  get approvalTtlMs(): number {
    return this.parts.limits.approvalTtlMs;
  }

  /** True if `onHop` of a plugin shows the user the content for the user. */
  get hasListener(): boolean {
    return this.parts.hooks.onHop.length > 0;
  }

  /** True if plugins may replace the arguments of a model's call in this conversation before they are checked. */
  get changesArguments(): boolean {
    return this.parts.hooks.transformArguments.length > 0;
  }

  /** True if a call of this tool may have to wait for a person's approval. Without `tool`: of any tool. */
  mayAsk(tool?: Tool): boolean {
    const { policies, servers } = this.parts;
    if (policies.length > 0) return true;
    return tool ? isDestructive(tool) : servers.catalog().tools.some(isDestructive);
  }

  /** Opens the store for what a framework keeps of a conversation. Its functions reject with `callback-failed` if the store fails. */
  storeOf(conversation: string | undefined) {
    const { store, limits } = this.parts;
    const keyOf = (key: string) => toConversationKey(conversation, key);
    return {
      get: (key: string) => askStore(() => store.get(keyOf(key))),
      set: (key: string, value: unknown) =>
        askStore(() => store.set(keyOf(key), value, limits.approvalTtlMs)),
      delete: async (key: string) => Boolean(await askStore(() => store.delete(keyOf(key)))),
    };
  }

  /** Reads the tool changes that servers have announced. */
  settle(): Promise<void> {
    return this.parts.servers.settle();
  }

  /** True if a parser is registered for the tool: see `schemas`. */
  hasParser(tool: Tool): boolean {
    return parserOf(this.parts.parsers, tool) !== undefined;
  }

  /**
   * Reports names of tools that no server lists, now and when lists change. If they have to match, it throws `invalid-options`
   * for a new one that no server can mean.
   */
  watchNames(option: string, names: readonly string[], protects = false): void {
    this.parts.servers.watch(names.map((pattern) => ({ option, pattern, protects })));
  }

  /** Describes what is wrong with the arguments of a call, if that is known without asking anyone. */
  checkArguments(request: CallRequest): ToolrailError | undefined {
    return findArgumentDefect(this.parts, request);
  }

  /** Describes a call, so that `checkSeal` recognizes it after it waited in messages that others may have changed. */
  seal(call: SealedCall, id: string): string {
    return describeQuestion(this.parts, call, { id });
  }

  /** Rejects if a seal is not genuine, has expired, or is that of another call. */
  checkSeal(call: SealedCall, seal = "") {
    return checkApproval(this.parts, call, seal);
  }

  /** Records that a person has denied a question: see `recordDenial`. */
  deny(binding: string, by: Parameters<typeof recordDenial>[2]): Promise<boolean> {
    return recordDenial(this.parts, binding, by);
  }

  /** Records that a person has denied a question that the framework has asked under an `id` of its own. */
  async denyQuestion(
    question: { readonly id: string; readonly ttlMs: number },
    by: Pick<CallOptions, "conversation" | "context">,
  ): Promise<boolean> {
    return denyQuestion(this.parts, { ...question, owner: ownerOf(by) });
  }

  /** Passes an event to the listeners. */
  report(event: HostReport): void {
    this.parts.voice.emit(event);
  }

  /** Reports a warning once for what it is `about`. */
  warn(code: WarningCode, about?: string, cause?: unknown): void {
    this.parts.voice.warn(code, about, cause);
  }

  nextHop(hop: Hop, options: Parameters<typeof decideNextHop>[2] = {}): Promise<NextHop> {
    return decideNextHop(this.parts, hop, options);
  }

  onEnd(chain: ChainSummary): void {
    reportEnd(this.parts, chain);
  }
}
