import type { JsonSchemaValidator } from "@toolrail/json/schema";
import { FOR_GOOD, keyAfter } from "../call/approval.ts";
import { isOnce } from "../call/call-key.ts";
import type { ChangedCall, DecidedCall } from "../call/change-call.ts";
import { transformByPlugins } from "../call/hooks.ts";
import { findArgumentDefect } from "../call/make-call.ts";
import type { HostParts } from "../call/passage.ts";
import { isDestructive } from "../call/policies.ts";
import { parserOf } from "../call/value-checks.ts";
import type { ChainSummary } from "../chain/chain-end.ts";
import { createNextHop } from "../chain/next-hop.ts";
import type { PendingCall } from "../result/chain-result.ts";
import type { ServerLists } from "../servers/server-lists.ts";
import type { CallOptions, CallRequest } from "../types/call-options.ts";
import type { HostKit } from "../types/plugin.ts";
import type { Tool } from "../types/tool.ts";
import type { ToolCall } from "../types/tool-call.ts";
import { type NamedServer, readSecret } from "./read-options.ts";

interface EngineParts {
  readonly lists: ServerLists;
  readonly servers: readonly NamedServer[];
  readonly secret: string | undefined;
  readonly warn: HostKit["warn"];
  /** True if the options of the host have policies. */
  readonly hasPolicies: boolean;
  readonly validator: JsonSchemaValidator;
}

/** Creates the parts of a host that Toolrail's own packages use besides its public interface. */
export function createEngine(
  parts: HostParts,
  { lists, servers, secret, warn, hasPolicies, validator }: EngineParts,
) {
  const { hooks, services, limits, store, now, newId, emit } = parts;
  const asksByRule =
    hasPolicies || hooks.plugins.some((one) => one.authorize && one.mayAsk !== false);
  let isAnyDestructive = false;
  /** True if a call of this tool may have to wait for a person's approval. Without `tool`: of any tool. */
  const mayAsk = (tool?: Tool): boolean => {
    if (asksByRule) return true;
    return tool ? isDestructive(tool) : isAnyDestructive;
  };
  return {
    ...{ services, store, now, newId, warn, validator, mayAsk },
    /** True if any call may have to wait for a person: for an approval, because its outcome is unknown, or because a server asks. */
    get mayWait(): boolean {
      if (mayAsk() || parts.once !== undefined) return true;
      return !parts.onInputRequest && lists.mayAsk();
    },
    /** Reads the tool changes that servers have announced. */
    settle: lists.settleAll,
    /** Receives the tools of all servers after each reading. */
    onTools(tools: readonly Tool[]): void {
      isAnyDestructive = tools.some(isDestructive);
    },
    /** True if a call of this tool is made only once for its key: see `createHost({ store })`. */
    isOnce: (tool: Tool, key?: string) => isOnce(parts, tool, key),
    /** Builds the key of what follows from a call: see `keyAfter`. */
    keyAfter: (call: Pick<CallOptions, "key" | "approved">) => keyAfter(call, parts),
    /** True if a parser is registered for the tool: see `schemas`. */
    hasParser: (tool: Tool) => parserOf(parts.parsers, tool) !== undefined,
    /** Reports names of tools that no server lists, now and when lists change. */
    watchNames: (option: string, names: readonly string[]): void =>
      lists.watch(names.map((pattern) => ({ option, pattern }))),
    /** True if plugins may replace the arguments of a model's call in this conversation before they are checked. */
    changesArguments: (conversation: string | undefined): boolean =>
      hooks.transformArguments !== undefined ||
      (hooks.resolveArguments !== undefined && conversation !== undefined),
    /** Describes what is wrong with the arguments of a call, if that is known without asking anyone. */
    checkArguments: (request: CallRequest) => findArgumentDefect(parts, request),
    /** Gives a pending call the arguments that a person wants, and their approval of these. `error` is set if it cannot be made so. */
    decideCall: async (pending: PendingCall, decided: DecidedCall): Promise<ChangedCall> =>
      (await import("../call/change-call.ts")).decideCall(parts, pending, decided),
    /** Builds the binding of an approval for a call, whose arguments may be those that the model wrote. With `isForGood`, it is for its tool, and no one has seen these arguments. */
    async bindingOf(
      {
        written,
        ...call
      }: Pick<ToolCall, "tool" | "arguments" | "written" | "conversation" | "context">,
      { isForGood = false }: { readonly isForGood?: boolean } = {},
    ): Promise<string> {
      const asked = { ...call, ...(written && { arguments: written }) };
      const made = { ...asked, callId: "", runId: "", origin: { by: "model" } } as const;
      const slot = `${isForGood ? FOR_GOOD : ""}${newId()}`;
      const { toBinding } = await import("../call/binding.ts");
      return toBinding(parts, { ...made, ...(await transformByPlugins(hooks, made)) }, { slot });
    },
    nextHop: createNextHop({
      nextToolKeys: new Map(
        servers.flatMap(({ name, nextTool }) => (nextTool ? [[name, nextTool]] : [])),
      ),
      maxChainDepth: limits.maxChainDepth,
      hooks,
      catalog: lists.catalog,
      settle: lists.settle,
    }),
    /** Passes an event to `onEvent`. Absent if there is no listener. */
    report: emit,
    /** True if `onHop` of a plugin shows the user the content for the user. */
    hasListener: hooks.onHop !== undefined,
    /** Signs data that is stored where clients could change it: see `createHost({ secret })`. */
    secret: readSecret(secret),
    pendingHopTtlMs: limits.pendingHopTtlMs,
    onEnd({ runId, ended, hops, error }: ChainSummary): void {
      const code = error && { code: error.code };
      emit?.({ type: "chain-ended", atMs: now(), runId, ended, hops, ...code });
    },
  };
}
