import type { JsonObject } from "@toolrail/json";
import type { JsonSchemaValidator } from "@toolrail/json/schema";
import type { CallToolResult } from "../result/call-tool-result.ts";
import type { Hop } from "../result/hop.ts";
import type { HostEvent, HostReport } from "./events.ts";
import type { Limits } from "./limits.ts";
import type { CallListeners } from "./listeners.ts";
import type { RequestHeaders } from "./port.ts";
import type { HostServices, KeepOptions, OnceRule } from "./services.ts";
import type { Store } from "./store.ts";
import type { NamedTools, ScreenContext, ScreenVerdict, Tool, ToolRef } from "./tool.ts";
import type { Authorization, MetaRequest, ToolCall } from "./tool-call.ts";

type Maybe<T> = T | PromiseLike<T>;

/**
 * Code of the application, or of a feature, in the stages of every call. All members except `name` are optional, and each
 * belongs to one stage. The stages fix the order. If several plugins have the same member, the first in `use` runs first. An
 * error in a member refuses the call or makes it fail. Errors of listeners are ignored.
 */
export interface Plugin {
  /** The name of the plugin in errors, unique in a host. It is also the server name of its `tools`. */
  readonly name: string;
  /** The tools that the plugin answers itself. Calls of `name.tool` pass all stages, like calls of a server's tools. */
  readonly tools?: readonly PluginTool[] | undefined;
  /** Judges each tool that a server lists, and judges it again after each change. A refused tool is not offered. */
  checkTool?(tool: Tool, context: ScreenContext): Maybe<ScreenVerdict | undefined>;
  /** Replaces the arguments of a call before they are checked. `undefined` changes nothing. */
  transformArguments?(call: ToolCall): Maybe<JsonObject | undefined>;
  /** Allows a call, leaves it to a person, or denies it. `undefined` allows it. Answers of other policies still count. */
  authorize?(call: ToolCall): Maybe<Authorization | undefined>;
  /**
   * Wraps the request. Call `next` once, several times (a retry), or not at all (a cache). The result is checked as usual.
   */
  wrapCall?(
    call: ToolCall,
    next: (call: ToolCall) => Promise<CallToolResult>,
  ): Promise<CallToolResult>;
  /** Replaces a result before it is checked, recorded or shown. */
  transformResult?(result: CallToolResult, call: ToolCall): Maybe<CallToolResult>;
  /**
   * Returns the call that follows from a result: one of the plugin's choice, or that of `next()`, which asks the later
   * plugins and then reads the server's `nextTool`. `undefined` ends the chain.
   */
  nextCall?(hop: Hop, context: NextCallContext): Maybe<NextCall | undefined>;
  /**
   * Receives every call that was answered, with its result and whoever asked for it. Show the user content that is for the
   * user here. It is awaited before the next call is made and before a model continues.
   */
  readonly onHop?: CallListeners["onHop"];
  /** Receives an event for each stage of each call, and for each problem. */
  onEvent?(event: HostEvent): void;
  /** Returns `_meta` for a request. If several plugins set one key, the value of the first counts. */
  requestMeta?(request: MetaRequest): Maybe<JsonObject | undefined>;
  /**
   * Returns HTTP headers for a request, chosen by the application and never by a model. SDK v2 alone can send headers with a
   * single request, except `authorization`. A call whose headers cannot be sent is refused.
   */
  requestHeaders?(request: MetaRequest): Maybe<RequestHeaders | undefined>;
  /**
   * Finds the user of a `context`, as an id. An approval holds for calls of this user alone. Only one plugin can do this.
   * Default: a context that is a text, or its `langgraph_auth_user_id`, `userId`, `user` or `user.id`. With `() => undefined`,
   * one user can approve what another asked for.
   */
  userOf?(context: unknown): string | undefined;
  /** Runs when the host is closed. */
  close?(): Maybe<void>;
}

/** A plugin, or a function that creates one for each host, so that hosts share no state. */
export type Use = Plugin | ((kit: PluginKit) => Maybe<Plugin>);

/** A tool that a plugin answers itself. */
export interface PluginTool
  extends Pick<Tool, "name" | "title" | "description" | "inputSchema" | "outputSchema"> {
  readonly annotations?: JsonObject;
  call(
    args: JsonObject,
    about: { readonly context?: unknown; readonly signal?: AbortSignal | undefined },
  ): Maybe<CallToolResult>;
}

/** The next call of a chain. */
export interface NextCall {
  /** The tool, as `server.tool`. */
  readonly tool: string;
  readonly arguments?: JsonObject;
  /**
   * The name of the rule that asks, for `origin` and for events. Default: the plugin's name. The call of a server has none, also
   * if the plugin passes it on or changes its arguments: to let a server's call reach another server, state a name.
   */
  readonly rule?: string;
  /**
   * True if the arguments contain content for the user alone. Default: true if the plugin could read such content. The host
   * also searches the arguments for such content itself.
   */
  readonly forUserAlone?: boolean;
}

/** The second argument of `nextCall`. */
export interface NextCallContext {
  /** Returns the call that the later plugins, or else the server, ask for. */
  next(): Promise<NextCall | undefined>;
  /** The caller: see `CallOptions`. */
  readonly context?: unknown;
}

/** The clock, the ids and the store that a host gives to a plugin. */
export interface PluginKit {
  /** Milliseconds since the epoch. */
  now(): number;
  newId(): string;
  /** The host's store: see `createHost({ store })`. */
  readonly store: Store;
}

/** A plugin with the members that only Toolrail's own features need. They may change in any release. */
export interface HostPlugin extends Plugin {
  /** The tools that the plugin's options name, so that the host can report wrong names. */
  readonly names?: readonly NamedTools[] | undefined;
  /** Replaces addresses of kept results in the arguments by the values they refer to. Runs before `transformArguments`. */
  resolveArguments?(call: ToolCall): Maybe<ResolvedArguments | undefined>;
  /** True if `authorize` may leave a call to a person. Default: true. */
  readonly mayAsk?: boolean | undefined;
  /** The rule by which each call with a key is made once in all workers. */
  readonly once?: OnceRule | undefined;
  /** True if models may read the result of this tool even if its arguments contain content for the user alone. */
  releases?(tool: Tool): boolean;
  /** True if models may not read the errors of this tool. */
  hidesErrors?(tool: Tool): boolean;
  /** True if a server may name this tool of another server in its `nextTool`. */
  reaches?(from: ToolRef, to: ToolRef): boolean;
  /** Replaces a hop by a shorter one for a framework to keep and a model to read. */
  keepHop?(hop: Hop, options: KeepOptions): Maybe<Hop>;
  /** The services for adapters and other plugins. Only one plugin of a host can provide each. */
  readonly provides?: Partial<HostServices> | undefined;
}

export type HostUse = HostPlugin | ((kit: HostKit) => Maybe<HostPlugin>);

/** Further parts of a host, for plugins with unstable members. They may change in any release. */
export interface HostKit extends PluginKit {
  /** The store option of `createHost`, if it was set. */
  readonly ownStore: Store | undefined;
  /** Returns the id of the user whom a context identifies: see `Plugin`. */
  userOf(context: unknown): string | undefined;
  readonly servers: readonly string[];
  readonly limits: Limits;
  readonly validator: JsonSchemaValidator;
  /** Reports an event to the listeners, if there are any. */
  emit(event: HostReport): void;
  /** Reports that a store in memory was full and dropped a value of this conversation. */
  forget(conversation: string): void;
  /** Reports a warning, once for each code. */
  warn(code: Extract<HostReport, { type: "warning" }>["code"]): void;
}

/** Arguments with resolved addresses, and the arguments as they were written. */
export type ResolvedArguments = Required<Pick<ToolCall, "arguments" | "written" | "references">>;
