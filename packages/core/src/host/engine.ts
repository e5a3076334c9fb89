import { checkApproval, describeQuestion, ownerOf } from "../call/approval.ts";
import type { CallOptions, CallRequest, ToolCall } from "../call/call-options.ts";
import type { HostParts } from "../call/host-parts.ts";
import { findArgumentDefect } from "../call/make-call.ts";
import { denyQuestion, recordDenial } from "../call/once.ts";
import { isDestructive } from "../call/policies.ts";
import { askStore, toConversationKey } from "../call/store.ts";
import type { Tool } from "../call/tool.ts";
import { parserOf } from "../call/value-checks.ts";
import type { ChainSummary } from "../chain/chain-end.ts";
import { createNextHop } from "../chain/next-hop.ts";
import { invalidOptions } from "../errors.ts";
import type { JsonSchemaValidator } from "../json/validator.ts";
import type { ServerLists } from "../servers/server-lists.ts";
import type { Host } from "./host.ts";

/** The parts of a host that Toolrail's own packages use besides its public interface. */
export type HostEngine = ReturnType<typeof createEngine>;

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

export type EngineParts = HostParts & { readonly servers: ServerLists };

type SealedCall = Pick<ToolCall, "tool" | "arguments" | "conversation">;

interface EngineOptions {
  /** True if each worker that has the store of this host makes a call with a key once. */
  readonly isOnce: boolean;
  readonly validator: JsonSchemaValidator;
}

/** Creates the parts of a host that Toolrail's own packages use besides its public interface. */
export function createEngine(parts: EngineParts, { isOnce, validator }: EngineOptions) {
  const { hooks, limits, store, now, newId, emit, warn, servers } = parts;
  return {
    ...{ store, now, newId, warn, validator, isOnce },
    /** All parts, for the functions of this folder. */
    parts,
    /** True if a call of this tool may have to wait for a person's approval. Without `tool`: of any tool. */
    mayAsk(tool?: Tool): boolean {
      if (parts.policies.length > 0) return true;
      return tool ? isDestructive(tool) : servers.catalog().tools.some(isDestructive);
    },
    /** Opens the store for what a framework keeps of a conversation. Its functions reject with `callback-failed` if the store fails. */
    storeOf(conversation: string | undefined) {
      const keyOf = (key: string) => toConversationKey(conversation, key);
      return {
        get: (key: string) => askStore(() => store.get(keyOf(key))),
        set: (key: string, value: unknown) =>
          askStore(() => store.set(keyOf(key), value, limits.approvalTtlMs)),
        delete: async (key: string) => Boolean(await askStore(() => store.delete(keyOf(key)))),
      };
    },
    /** Reads the tool changes that servers have announced. */
    settle: () => servers.settle(),
    /** True if a parser is registered for the tool: see `schemas`. */
    hasParser: (tool: Tool) => parserOf(parts.parsers, tool) !== undefined,
    /**
     * Reports names of tools that no server lists, now and when lists change. If they have to match, it throws `invalid-options`
     * for a new one that no server can mean.
     */
    watchNames: (option: string, names: readonly string[], protects = false): void =>
      servers.watch(names.map((pattern) => ({ option, pattern, protects }))),
    /** True if plugins may replace the arguments of a model's call in this conversation before they are checked. */
    changesArguments: hooks.transformArguments.length > 0,
    /** Describes what is wrong with the arguments of a call, if that is known without asking anyone. */
    checkArguments: (request: CallRequest) => findArgumentDefect(parts, request),
    /** Describes a call, so that `checkSeal` recognizes it after it waited in messages that others may have changed. */
    seal: (call: SealedCall, id: string) => describeQuestion(parts, call, { id }),
    /** Rejects if a seal is not genuine, has expired, or is that of another call. */
    checkSeal: (call: SealedCall, seal: string | undefined) =>
      checkApproval(parts, call, seal ?? ""),
    /** Records that a person has denied a question: see `recordDenial`. */
    deny: (binding: string, by: Parameters<typeof recordDenial>[2]) =>
      recordDenial(parts, binding, by),
    /** Records that a person has denied a question that the framework has asked under an `id` of its own. */
    async denyQuestion(
      question: { readonly id: string; readonly ttlMs: number },
      by: Pick<CallOptions, "conversation" | "context">,
    ): Promise<boolean> {
      return denyQuestion(parts, { ...question, owner: ownerOf(by) });
    },
    /** Hashes for whom a call is made, since the store of a host holds no names. */
    ownerOf,
    nextHop: createNextHop(parts),
    /** Passes an event to the listeners. */
    report: emit,
    /** True if `onHop` of a plugin shows the user the content for the user. */
    hasListener: hooks.onHop.length > 0,
    approvalTtlMs: limits.approvalTtlMs,
    onEnd({ runId, ended, hops, error }: ChainSummary): void {
      const code = error && { code: error.code };
      emit({ type: "chain-ended", atMs: now(), runId, ended, hops, ...code });
    },
  };
}
