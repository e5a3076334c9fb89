import type { StandardSchemaV1 } from "@standard-schema/spec";
import type { HostEvent } from "../call/events.ts";
import type { ReferenceOptions } from "../call/kept-results.ts";
import type { Limits } from "../call/limits.ts";
import type { Store } from "../call/store.ts";
import type { DoorHooks } from "../call/tool-call.ts";
import type { ToolFilter } from "../call/tool-patterns.ts";
import type { ToolScreen } from "../call/tool-screen.ts";
import type { JsonSchemaValidator } from "../schema/json-schema.ts";
import type { ServerOption } from "../servers/sdk-clients.ts";
import type { Host } from "./host.ts";

/** Parsers by `server.tool`: any Standard Schema (zod, valibot, arktype, generated ones). */
export type ToolSchemas = { readonly [tool: string]: StandardSchemaV1 };

/**
 * A server, or a function that connects it: called when the server is first needed, again after its connection was
 * lost, and where it failed, at the next need. It is given the host that is being made.
 */
export type HostServer = ServerOption | ((host: Host) => ServerOption | PromiseLike<ServerOption>);

export interface HostOptions<Schemas extends ToolSchemas = ToolSchemas> extends DoorHooks {
  /**
   * MCP clients or ports, or functions that connect them, by the name that this host gives their server. A client that
   * was handed over connected stays lost when its connection is; a function may take `limits.callTimeoutMs`.
   */
  readonly servers: { readonly [name: string]: HostServer };
  /** Tools that may be called, by whomever. Default: all that the servers list. */
  readonly allow?: ToolFilter;
  /** Parsers of `structuredContent`; `hop.output.value` is then their typed value. */
  readonly schemas?: Schemas;
  /** Standing rules over the tools that servers list: `enforceContract()`, `pinTools(pins)`. Default: none. */
  readonly screen?: readonly ToolScreen[];
  readonly limits?: Partial<Limits>;
  /** Keys of a result's `_meta` that may name the next tool. Default `["nextTool", "openai/nextTool"]`. */
  readonly nextToolKeys?: readonly string[];
  /** Chains that may cross servers: `{ from: "crm.*", to: "mail.send" }`. Default: none. */
  readonly crossServerChains?: readonly { readonly from: string; readonly to: string }[];
  /**
   * Keeps hops that wait, which guarded queries have had their call, and, where it can `claim`, the results of calls that
   * have a place, for `limits.pendingHopTtlMs`. Default: the memory of this process, for no results. Share one between
   * processes to let runs go on elsewhere.
   */
  readonly store?: Store;
  /**
   * Keeps long results out of models: a model reads the beginning or the shape of one, and passes the whole on by its
   * address, in calls of the same `scope`. They lie in `store`, or in the memory of this process. Default false.
   */
  readonly references?: boolean | ReferenceOptions;
  /**
   * What becomes of a call whose worker was lost before its answer was kept. `"ask"` ends the chain with `needs-approval`
   * and the error `outcome-unknown`; `"repeat"` makes it again. Default `"ask"`; idempotent tools are repeated.
   */
  readonly afterCrash?: "ask" | "repeat";
  /**
   * Signs what waits where clients could write it, as hops and pipes in the state of a graph. Give all processes of an
   * application the same, at least 32 random characters. Default: random, so that these go on in this process alone.
   */
  readonly secret?: string;
  /** A JSON Schema validator as both MCP SDKs take it. Default: Ajv, 2020-12 and draft-07. */
  readonly validator?: JsonSchemaValidator;
  /** Told of every stage of every call. What it throws is ignored. */
  readonly onEvent?: (event: HostEvent) => void;
  /** Milliseconds since the epoch. */
  readonly now?: () => number;
  /** Ids for calls and runs. Default: random UUIDs. */
  readonly newId?: () => string;
}
