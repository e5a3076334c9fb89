import { isJsonObject, type JsonObject } from "../json/json.ts";
import { joinKey } from "../json/path.ts";
import { shorten } from "../json/plain-text.ts";
import type { JsonSchemaValidator } from "../json/validator.ts";
import type { CallToolResult } from "../result/call-tool-result.ts";
import type { Hop, UsedReference } from "../result/hop.ts";
import type { Authorization, CallListeners, MetaRequest, ToolCall } from "./call-options.ts";
import type { HostEvent, HostReport } from "./events.ts";
import type { Limits } from "./limits.ts";
import type { RequestHeaders } from "./port.ts";
import type { Store } from "./store.ts";
import type { NamedTools, ScreenContext, ScreenVerdict, Tool } from "./tool.ts";
import { untilAborted } from "./until-aborted.ts";

type Maybe<T> = T | PromiseLike<T>;

/**
 * Code of the application, or of a feature, in the stages of every call. All members except `name` are optional, and each
 * belongs to one stage. The stages fix the order. If several plugins have the same member, the first in `use` runs first. An
 * error in a member refuses the call or makes it fail. An error in a listener becomes one warning.
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
  /** Returns `_meta` for a request. If several plugins set one key, the value of the first counts. */
  requestMeta?(request: MetaRequest): Maybe<JsonObject | undefined>;
  /**
   * Returns HTTP headers for a request, chosen by the application and never by a model. SDK v2 alone can send headers with a
   * single request, except `authorization`. A call whose headers cannot be sent is refused.
   */
  requestHeaders?(request: MetaRequest): Maybe<RequestHeaders | undefined>;
  /**
   * Wraps the request: return the result of `next`, or another one, which is checked as usual. Call `next` once, several
   * times (a retry), or not at all (a cache).
   */
  wrapCall?(
    call: ToolCall,
    next: (call: ToolCall) => Promise<CallToolResult>,
  ): Promise<CallToolResult>;
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
  /** Replaces a finished call by a shorter one, for a model to read and for a framework to keep: see `host.keep`. */
  keepHop?(hop: Hop, options: KeepOptions): Maybe<Hop>;
}

/** A plugin, or a function that creates one for each host, so that hosts share no state. */
export type Use = Plugin | ((kit: PluginKit) => Maybe<Plugin>);

/** A tool that a plugin answers itself. */
export interface PluginTool
  extends Pick<Tool, "name" | "title" | "description" | "inputSchema" | "outputSchema"> {
  readonly annotations?: JsonObject;
  call(
    args: JsonObject,
    about: Pick<ToolCall, "context" | "conversation" | "signal">,
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
  /** True if the arguments contain content for the user alone. Default: true if the plugin could read such content. */
  readonly forUserAlone?: boolean;
}

/** The second argument of `nextCall`. */
export interface NextCallContext {
  /** Returns the call that the later plugins, or else the server, ask for. The server names its tool as it likes. */
  next(): Promise<NextCall | undefined>;
  /** The tools that may be called now. */
  readonly tools: readonly Tool[];
  /** The caller: see `CallOptions`. */
  readonly context?: unknown;
}

/** The reader of a call, who decides if long results are shortened. */
export interface KeepOptions {
  /** The conversation of the model that will read the call: see `host.call`. Without it, nothing is shortened. */
  readonly conversation?: string | undefined;
  /** False if the model cannot call the tools of plugins, so that no text mentions them. Default true. */
  readonly canRead?: boolean;
}

/** The parts of a host that a plugin can use. */
export interface PluginKit {
  /** Milliseconds since the epoch. */
  now(): number;
  newId(): string;
  /** The store of `createHost({ store })`. Default: none. */
  readonly store: Store | undefined;
  readonly limits: Limits;
  readonly validator: JsonSchemaValidator;
  /** Reports the names in the plugin's options that match no tool of a server. One that protects refuses the host. */
  watchNames(names: readonly NamedTools[]): void;
  /** Reports an event to the listeners. Each warning is reported once. */
  report(event: HostReport): void;
}

type Member = {
  [Name in keyof Plugin]-?: NonNullable<Plugin[Name]> extends (...given: never[]) => unknown
    ? Name
    : never;
}[keyof Plugin];

/** The functions of a host's plugins, by member and in the order of `use`. A list may be empty. */
export type Hooks = {
  readonly [Name in Member]: readonly NonNullable<Plugin[Name]>[];
} & { readonly plugins: readonly Plugin[] };

/** Lets plugins change the arguments of a call. The result also holds the original arguments, if they have changed. */
export async function transformByPlugins(
  { transformArguments: transforms }: Pick<Hooks, "transformArguments">,
  call: ToolCall,
): Promise<Pick<ToolCall, "arguments" | "written" | "references">> {
  const { arguments: written } = call;
  let sent = written;
  for (const transform of isJsonObject(written) ? transforms : []) {
    const current = { ...call, arguments: sent, ...(sent !== written && { written }) };
    sent = (await untilAborted(transform(current), call.signal)) ?? sent;
  }
  if (sent === written) return { arguments: sent };
  const references = findReplaced(written, sent).slice(0, MAX_REPLACED);
  return { arguments: sent, written, ...(references.length > 0 && { references }) };
}

const MAX_REPLACED = 20;
const MAX_DEPTH = 16;
const MAX_SHOWN = 300;

/** Finds what plugins have replaced in arguments, with the beginnings of both values for a person who is asked. */
function findReplaced(
  written: unknown,
  sent: unknown,
  { path = "", depth = 0 } = {},
): readonly UsedReference[] {
  if (written === sent) return [];
  const isSame = Array.isArray(written)
    ? Array.isArray(sent) && written.length === sent.length
    : isJsonObject(written) && isJsonObject(sent) && !("$ref" in written);
  if (isSame && depth < MAX_DEPTH) {
    const [before, after] = [
      new Map(Object.entries(Object(written))),
      new Map(Object.entries(Object(sent))),
    ];
    return [...new Set([...before.keys(), ...after.keys()])].flatMap((key) => {
      const at = joinKey(path, Array.isArray(written) ? Number(key) : key);
      return findReplaced(before.get(key), after.get(key), { path: at, depth: depth + 1 });
    });
  }
  const show = (value: unknown) =>
    shorten(typeof value === "string" ? value : (JSON.stringify(value) ?? "nothing"), MAX_SHOWN);
  const shown = { address: show(written), preview: show(sent) };
  return shown.address === shown.preview &&
    typeof sent !== "string" &&
    JSON.stringify(written) === JSON.stringify(sent)
    ? []
    : [{ path, ...shown }];
}

/** Collects what plugins add to a request. If several set the same key, the first plugin's value counts. */
export async function askForRequest(
  hooks: Pick<Hooks, "requestMeta" | "requestHeaders">,
  request: MetaRequest,
  signal?: AbortSignal,
): Promise<{ readonly meta?: JsonObject; readonly headers?: RequestHeaders }> {
  const given: { meta?: JsonObject; headers?: RequestHeaders } = {};
  for (const ask of hooks.requestMeta) {
    const meta = await untilAborted(ask(request), signal);
    if (meta) given.meta = { ...meta, ...given.meta };
  }
  for (const ask of hooks.requestHeaders) {
    const headers = await untilAborted(ask(request), signal);
    if (headers) given.headers = { ...headers, ...given.headers };
  }
  return given;
}
