import type { JsonObject } from "@toolrail/json";
import type { JsonSchemaValidator } from "@toolrail/json/schema";
import type { ToolrailError } from "../errors.ts";
import type { CallToolResult } from "../result/call-tool-result.ts";
import type { Hop } from "../result/hop.ts";
import type { HostEvent, HostReport } from "./events.ts";
import type { Limits } from "./limits.ts";
import type { CallListeners } from "./listeners.ts";
import type { McpPort, PortOptions, RequestHeaders, ToolCallRequest } from "./port.ts";
import type { HostServices } from "./services.ts";
import type { ClaimingStore, Store } from "./store.ts";
import type { NamedTools, Tool, ToolRef } from "./tool.ts";
import type { Authorization, MetaRequest, Provenance, ToolCall } from "./tool-call.ts";
import type { ScreenContext, ScreenVerdict } from "./tool-screen.ts";

type Maybe<T> = T | PromiseLike<T>;

/**
 * Code of the application, or of a feature, in the stages of every call. Each member but `name` is optional, and belongs to a
 * stage: the stages fix the order, and of several plugins with the same member, the first in `use` comes first. What a
 * member throws refuses the call, or makes it fail; listeners' errors are ignored.
 */
export interface Plugin {
  /** Names the plugin in errors. Two plugins of a host cannot have the same. */
  readonly name: string;
  /** Tools of the plugin's own: calls of `name.tool` pass all stages, like those of a server. */
  readonly tools?: readonly PluginTool[] | undefined;
  /** Judges each tool that a server lists, again whenever it has changed. A tool that it refuses is not offered. */
  checkTool?(tool: Tool, context: ScreenContext): Maybe<ScreenVerdict | undefined>;
  /** Replaces the arguments of a call, before they are checked. `undefined` leaves them as they are. */
  transformArguments?(call: ToolCall): Maybe<JsonObject | undefined>;
  /** Allows a call, leaves it to a person, or denies it; `undefined` allows it. Nothing that another policy says is undone. */
  authorize?(call: ToolCall): Maybe<Authorization | undefined>;
  /** Runs around the request. Call `next` once, more often (a retry), or not at all (a cache). Its result is checked like a server's. */
  wrapCall?(
    call: ToolCall,
    next: (call: ToolCall) => Promise<CallToolResult>,
  ): Promise<CallToolResult>;
  /** Replaces a result, before it is checked by its tool's schema, recorded or shown. */
  transformResult?(result: CallToolResult, call: ToolCall): Maybe<CallToolResult>;
  /**
   * Says which call follows from a result: its own, or what `next()` says, which asks the plugins after this one and then the
   * server's `nextTool`. `undefined` ends the chain.
   */
  nextCall?(hop: Hop, context: NextCallContext): Maybe<NextCall | undefined>;
  /**
   * Receives every call that was answered, with its result, whoever asked for it: the place to show the user what is for the
   * user. It is awaited before the next call is made and before a model goes on.
   */
  readonly onHop?: CallListeners["onHop"];
  /** Receives an event for each stage of each call, and problems. */
  onEvent?(event: HostEvent): void;
  /** `_meta` of requests. Of one key that several plugins set, the first plugin's value counts. */
  requestMeta?(request: MetaRequest): Maybe<JsonObject | undefined>;
  /**
   * HTTP headers of a request, from the application and never from a model. Only SDK v2 sends headers with a single request,
   * and not `authorization`; if they would be lost, the call is refused.
   */
  requestHeaders?(request: MetaRequest): Maybe<RequestHeaders | undefined>;
  /** Called when the host is closed. */
  close?(): Maybe<void>;
}

/** A plugin, or a function that makes one for each host, so that hosts share no state. */
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

/** The call that follows from a result. */
export interface NextCall {
  /** `server.tool`. */
  readonly tool: string;
  readonly arguments?: JsonObject;
  /** Names in `origin` and in events who asks for it. Default: the plugin. Absent if the server asks. */
  readonly rule?: string;
  /**
   * True if the arguments hold what is for the user alone. Default: true if the plugin could read such content. What the
   * host itself finds there counts in any case.
   */
  readonly forUserAlone?: boolean;
}

/** What `nextCall` is told beside the result. */
export interface NextCallContext {
  /** What the plugins after this one, and then the server, ask for. */
  next(): Promise<NextCall | undefined>;
  /** Who calls: see `CallOptions`. */
  readonly context?: unknown;
}

/** What a plugin is given by its host. */
export interface PluginKit {
  /** Milliseconds since the epoch. */
  now(): number;
  newId(): string;
  /** The store of the host: see `createHost({ store })`. */
  readonly store: Store;
}

/** A plugin with the members that only Toolrail's own features need. They may change in any release. */
export interface HostPlugin extends Plugin {
  /** The names of tools in its options. */
  readonly names?: readonly NamedTools[] | undefined;
  /** Inserts what stands for other values, before `transformArguments`. */
  resolveArguments?(call: ToolCall): Maybe<ResolvedArguments | undefined>;
  /**
   * Looks at a call with its checked arguments, also in `host.check`, before it is authorized. Returns what it knows of the
   * arguments; its errors refuse the call. `targets` are the arguments that policies look at; absent if any.
   */
  examineCall?(
    call: ToolCall,
    about: {
      readonly targets: readonly string[] | undefined;
      readonly userText: string | readonly string[];
    },
  ): Maybe<Partial<Provenance> | undefined>;
  /** True if `authorize` may leave a call to a person. Default: true. */
  readonly mayAsk?: boolean | undefined;
  /** Learns that a call is about to be made, and whether a person has approved this very call. Its errors refuse the call. */
  expectCall?(call: ToolCall, about: { readonly isApproved: boolean }): Maybe<void>;
  /** Learns what came of a call, a result or the error that a model reads. Its errors make the call fail. */
  recordCall?(call: ToolCall, outcome: CallToolResult | ToolrailError): Maybe<void>;
  /** Makes each call with a key once in all workers. */
  readonly once?: OnceRule | undefined;
  /** Runs around each request, inside `wrapCall` of all plugins. */
  wrapRequest?(call: ToolCall, next: () => Promise<unknown>): Promise<unknown>;
  /** True if models may read the result of this tool although its arguments hold what is for the user alone. */
  releases?(tool: Tool): boolean;
  /** True if models may read no error of this tool. */
  hidesErrors?(tool: Tool): boolean;
  /** Reads the resources of servers, by a tool of the name `RESOURCES` beside those that a server lists. */
  readonly resources?: ResourceTool | undefined;
  /** True if a server may name this tool of another in its `nextTool`. */
  reaches?(from: ToolRef, to: ToolRef): boolean;
  /** Replaces a hop by what a framework keeps and a model reads. */
  keepHop?(hop: Hop, options: KeepOptions): Maybe<Hop>;
  /** W3C trace context of a call or a run, by its id. */
  traceparentOf?(id: string): string | undefined;
  /** What it gives to adapters and other plugins. Two plugins cannot give the same. */
  readonly provides?: Partial<HostServices> | undefined;
}

/** `Use` for plugins with members that are not stable. */
export type HostUse = HostPlugin | ((kit: HostKit) => Maybe<HostPlugin>);

/** What a plugin may be given beside `PluginKit`. It may change in any release. */
export interface HostKit extends PluginKit {
  /** The store that `createHost` was given, if any. */
  readonly ownStore: Store | undefined;
  /** The user whom a context stands for: see `createHost({ approver })`. */
  userOf(context: unknown): string | undefined;
  /** The names of the servers. */
  readonly servers: readonly string[];
  readonly limits: Limits;
  readonly validator: JsonSchemaValidator;
  /** Reports an event, if anybody listens. */
  emit(event: HostReport): void;
  /** Reports that a store in memory was full, and dropped a value of this conversation. */
  forget(conversation: string): void;
  /** Reports a warning, once for each code. */
  warn(code: Extract<HostReport, { type: "warning" }>["code"]): void;
}

/** Arguments with other values put in, and how they were written. */
export type ResolvedArguments = Required<Pick<ToolCall, "arguments" | "written" | "references">>;

/** The reading of a server's resources as one of its tools. */
export interface ResourceTool {
  /** The tool of this server. `modelName` is taken if no other tool of the server has that name. */
  define(
    server: string,
  ): Pick<Tool, "modelName" | "description" | "inputSchema" | "annotations" | "forModel">;
  /** Answers a call of it, with the port of the server. */
  call(
    port: McpPort,
    asked: { readonly request: ToolCallRequest; readonly options: PortOptions },
  ): Promise<unknown>;
}

/** With which store calls are made once, and what happens to a call whose worker was lost before its answer was stored. */
export interface OnceRule {
  readonly store: ClaimingStore;
  readonly afterCrash: "ask" | "repeat";
}

/** For whom long results are kept. */
export interface KeepOptions {
  /** The conversation of the model that will read them: see `host.call`. Without it they are not shortened. */
  readonly conversation?: string | undefined;
  /** False if the model cannot call `read_result`: then it is not mentioned. Default true. */
  readonly canRead?: boolean;
}
