import type { StandardSchemaV1 } from "@standard-schema/spec";
import type { ChainStore } from "../chain/chain-store.ts";
import type { ToolPins } from "../guard/fingerprint.ts";
import type { JsonObject } from "../json.ts";
import type { CallToolResult } from "../result/call-tool-result.ts";
import type { CallOrigin, Hop } from "../result/hop.ts";
import type { JsonSchemaValidator } from "../schema/json-schema.ts";
import type { HostEvent } from "./events.ts";
import type { Limits } from "./limits.ts";
import type { ServerOption } from "./mcp-client.ts";
import type { HostTool } from "./tool.ts";
import type { ToolFilter } from "./tool-patterns.ts";

/** One call on its way to a server, as policies and interceptors see it. */
export interface ToolCall {
  readonly callId: string;
  readonly runId: string;
  readonly tool: HostTool;
  readonly arguments: JsonObject;
  readonly origin: CallOrigin;
  readonly signal?: AbortSignal | undefined;
}

/** A policy's word on a call: `"ask"` leaves it to a person. */
export type Authorization = "allow" | "ask" | { readonly deny: string };

/** What `requestMeta` is asked for: the list of a server's tools, or one call. */
export type MetaRequest =
  | { readonly method: "tools/list"; readonly server: string }
  | ({ readonly method: "tools/call"; readonly server: string } & ToolCall);

/** Runs around the call itself. Call `next` once, more often (a retry), or not at all (a cache). */
export type Interceptor = (
  call: ToolCall,
  next: (call: ToolCall) => Promise<CallToolResult>,
) => Promise<CallToolResult>;

/** Parsers by `server.tool`: any Standard Schema (zod, valibot, arktype, generated ones). */
export type ToolSchemas = { readonly [tool: string]: StandardSchemaV1 };

export interface HostOptions<Schemas extends ToolSchemas = ToolSchemas> {
  /** MCP clients, already connected, by the name that this host gives their server. */
  readonly servers: { readonly [name: string]: ServerOption };
  /** Tools that may be called, by whomever. Default: all that the servers list. */
  readonly allow?: ToolFilter;
  /** Asked before each call, hops and steps included. Default: allow. What it throws is a denial. */
  readonly authorize?: (call: ToolCall) => Authorization | PromiseLike<Authorization>;
  /** Around each call, the first outermost. Their results are checked like a server's. */
  readonly intercept?: readonly Interceptor[];
  /** `_meta` of requests: context from the application, never from a model. */
  readonly requestMeta?: (
    request: MetaRequest,
  ) => JsonObject | undefined | PromiseLike<JsonObject | undefined>;
  /** Parsers of `structuredContent`; `hop.output.value` is then their typed value. */
  readonly schemas?: Schemas;
  /**
   * Holds tools to their contract (see `checkContract`). `"enforce"` quarantines each that breaks a must;
   * `"report"` lists the findings of each as a problem of the host. Default: not asked.
   */
  readonly contract?: "enforce" | "report";
  /**
   * Fingerprints of the tools that were approved (see `fingerprintTools`). A tool that differs from its
   * own, or has none, is quarantined until it is approved again. Default: tools are not pinned.
   */
  readonly pins?: ToolPins;
  readonly limits?: Partial<Limits>;
  /** Keys of a result's `_meta` that may name the next tool. Default `["nextTool", "openai/nextTool"]`. */
  readonly nextToolKeys?: readonly string[];
  /** Chains that may cross servers: `{ from: "crm.*", to: "mail.send" }`. Default: none. */
  readonly crossServerChains?: readonly { readonly from: string; readonly to: string }[];
  /**
   * Keeps hops that are decided and not yet made, where a framework makes each hop as a call of its own.
   * Default: memory. Share one between processes to let chains go on after an approval elsewhere.
   */
  readonly chainStore?: ChainStore;
  /** A JSON Schema validator as both MCP SDKs take it. Default: Ajv, 2020-12 and draft-07. */
  readonly validator?: JsonSchemaValidator;
  /** Told of every stage of every call. What it throws is ignored. */
  readonly onEvent?: (event: HostEvent) => void;
  /**
   * Told of every call that was answered, with its result, whoever asked for it: the place to show
   * the user what is for the user. What it throws is ignored.
   */
  readonly onHop?: (hop: Hop) => void;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
  /** Ids for calls and runs. Default: random UUIDs. */
  readonly newId?: () => string;
}
