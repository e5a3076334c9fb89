import type { JsonSchemaValidator } from "@toolrail/json/schema";
import type { ToolFilter } from "../call/tool-patterns.ts";
import type { NextToolKey } from "../chain/next-tool.ts";
import type { InputResponse } from "../result/input-request.ts";
import type { DescribedClient, ServerOption } from "../servers/to-port.ts";
import type { HostEvent } from "../types/events.ts";
import type { Limits } from "../types/limits.ts";
import type { HostUse } from "../types/plugin.ts";
import type { Store } from "../types/store.ts";
import type { Policy, ReceivedInput } from "../types/tool-call.ts";
import type { Host } from "./host.ts";
import type { ToolSchemas } from "./tool-schemas.ts";

/**
 * A server of a host: an MCP client, a port, a function that connects one (`http(url)`, `stdio(command)`), or `{ client }`
 * with any of these and what is true of this server alone.
 */
export type Server = ServerOption | ConnectServer | DescribedServer;

/** What is true of one server. */
export interface ServerFacts {
  /** True names its tools `server_tool` for models even if it is the only server. Default: only if there are several. */
  readonly prefix?: boolean;
  /**
   * Where its results name the next tool: keys of `_meta`, and functions of the result that return it. All must agree.
   * Default `["nextTool", "openai/nextTool"]`; `[]` follows none.
   */
  readonly nextTool?: readonly NextToolKey[];
  /**
   * How a result is treated that breaks the `outputSchema` of its tool, or that its parser rejects. `"fail"`: its chain ends
   * with `invalid-output`, nothing follows, and a model reads only that it is so. `"show"`: a model reads it, marked, and its
   * `nextTool` counts; a step of a pipe fails all the same. The hop holds the raw result in any case. Default `"fail"`.
   */
  readonly invalidOutput?: "fail" | "show";
}

/** A server, and what is true of it alone. @inline */
export interface DescribedServer extends ServerFacts, Omit<DescribedClient, "client"> {
  readonly client: DescribedClient["client"] | ConnectServer;
}

/**
 * Connects a server: called when the server is first needed, again after its connection was lost, and, if it failed, when
 * the server is next needed. It gets the host that is being created.
 */
export type ConnectServer = (
  host: Host,
  options: ConnectOptions,
) => ServerOption | PromiseLike<ServerOption>;

/** What a function that connects a server is told by the host. */
export interface ConnectOptions {
  /** Aborts when connecting takes longer than `limits.callTimeoutMs`, and when the host is closed. */
  readonly signal: AbortSignal;
  /** True if the host has an `onInputRequest`: a client may then declare the capability `elicitation`. */
  readonly elicitation: boolean;
}

/** What `createHost` takes: the servers, and what may be called, by whom and within which bounds. */
export interface HostOptions<Schemas extends ToolSchemas = ToolSchemas> {
  /** Plugins: code in the stages of every call. Of the same stage, the first comes first. Default: none. */
  readonly use?: readonly HostUse[];
  /**
   * Asked once for each call, hops and steps included. Of several, each is asked in order until one denies; one `"ask"`
   * is enough to leave the call to a person. What a policy throws is a denial. Default: without `requireApproval` either, a person decides
   * about tools that their servers call destructive, unless the application itself calls; `() => "allow"` lets these pass.
   */
  readonly authorize?: Policy | readonly Policy[];
  /**
   * Fills in a form that a server asks the user for in the middle of a call, one at a time, in this process. Default:
   * none. A call on MCP 2026-07-28 then waits, and its chain ends with `needs-input`; before that revision, the server is
   * told that nobody can be asked, and the client must declare `elicitation` for it to ask at all.
   */
  readonly onInputRequest?: (request: ReceivedInput) => InputResponse | PromiseLike<InputResponse>;
  /**
   * The user whom a `context` stands for, by an id: an approval holds for calls of this user alone. Default: a context that
   * is a text itself, or its `langgraph_auth_user_id`, `userId`, `user` or `user.id`. `() => undefined` lets one user
   * approve what another asked for.
   */
  readonly approver?: (context: unknown) => string | undefined;
  /**
   * MCP clients or ports, or functions that connect them, by the name of the server in this host; or `{ client }` with one of
   * these and what is true of this server alone. A client that was passed in connected is not reconnected; a function may take
   * `limits.callTimeoutMs`.
   */
  readonly servers: { readonly [name: string]: Server };
  /** Tools that may be called, by anyone. Default: all that the servers list. */
  readonly allow?: ToolFilter;
  /**
   * Patterns of tools that a person must approve whenever a model, a chain or a pipe calls them and `authorize` allows it:
   * `["shop.pay_refund"]`. Default: without `authorize` either, the tools that their servers call destructive.
   */
  readonly requireApproval?: readonly string[];
  /**
   * Parsers of `structuredContent` by `server.tool`, or `{ input, output }`. `hop.output.value` is the typed value of the
   * output; arguments that the input parser rejects are not sent, others are sent unchanged. Default: none.
   */
  readonly schemas?: Schemas;
  /** Bounds on what servers and models may cost. Default: those that `Limits` names. */
  readonly limits?: Partial<Limits>;
  /**
   * Keeps waiting hops, which guarded queries have used their call and, if it can `claim`, the results of calls that
   * have a key, for `limits.pendingHopTtlMs`. Default: the memory of this process, without results. Share one between
   * processes to let runs continue elsewhere.
   */
  readonly store?: Store;
  /**
   * Signs what waits where clients could write it, such as hops and pipes in the state of a graph. Give all processes of an
   * application the same, at least 32 random characters. Default: random, so these can continue only in this process.
   */
  readonly secret?: string;
  /** A JSON Schema validator, as both MCP SDKs accept. Default: Ajv, for 2020-12 and draft-07. */
  readonly validator?: JsonSchemaValidator;
  /**
   * Told of every stage of every call, and of problems. What it throws is ignored. Default: problems and warnings go to the
   * console, once each; `() => {}` keeps them off it.
   */
  readonly onEvent?: (event: HostEvent) => void;
  /**
   * What tests replace: `now`, milliseconds since the epoch, and `newId`, ids for calls and runs. Default: a clock that never
   * goes back (`Date.now` if there is no `performance`), and random UUIDs.
   */
  readonly clock?: { readonly now?: () => number; readonly newId?: () => string };
}
