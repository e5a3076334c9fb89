import type { Policy, ReceivedInput } from "./call-options.ts";
import type { InputResponse } from "./input-requests.ts";
import type { Hooks } from "./plugin.ts";
import type { McpPort, ServerFacts } from "./port.ts";
import type { ClaimingStore } from "./store.ts";
import type { Tool, ToolName, ToolRef } from "./tool.ts";
import type { ValueParts } from "./value-checks.ts";
import type { Voice } from "./voice.ts";

/** The parts of a host that a call uses on its way. */
export interface HostParts extends ValueParts {
  readonly hooks: Hooks;
  /** The rules of the operator and of plugins, in order. */
  readonly policies: readonly Policy[];
  /** True if a person decides about destructive tools, because the operator has set no `authorize`. */
  readonly asksIfDestructive: boolean;
  /** The store of the host. Without a `claim` of its own, it claims within this process. */
  readonly store: ClaimingStore;
  /** The calls of this host that are made once and are under way, by their ids. */
  readonly underWay: Map<string, Promise<unknown>>;
  /** Signs the descriptions of questions. Absent if the application has set none. */
  readonly secret: string | undefined;
  /** Answers an input request of a server in this process. */
  readonly onInputRequest:
    | ((request: ReceivedInput) => InputResponse | PromiseLike<InputResponse>)
    | undefined;
  readonly now: () => number;
  readonly newId: () => string;
  readonly voice: Voice;
  readonly servers: CallServers;
}

/** The servers of a host, as its calls use them. */
interface CallServers {
  /** Returns the tools that were last read. */
  catalog(): {
    readonly tools: readonly Tool[];
    /** True if the server lists such a tool, allowed or not. */
    has(tool: ToolRef): boolean;
    find(tool: ToolName): Tool;
  };
  /** Throws if there is no such tool, or if it may not be called. */
  find(tool: ToolName): Tool;
  /** Finds the tool of a call, after its server was connected and has told of all changes. With `isFresh`, its list is read again. */
  findForCall(tool: ToolName, options?: { readonly isFresh: boolean }): Promise<Tool>;
  /** Reads the announced changes of a server, or of all. */
  settle(server?: string): Promise<void>;
  facts(server: string): ServerFacts;
  port(server: string): Pick<McpPort, "call">;
}
