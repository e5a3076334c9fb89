import type { StandardSchemaV1 } from "@standard-schema/spec";
import type { Policy, ReceivedInput } from "../call/call-options.ts";
import type { HostEvent } from "../call/events.ts";
import type { InputResponse } from "../call/input-requests.ts";
import type { Limits } from "../call/limits.ts";
import type { Use } from "../call/plugin.ts";
import { type McpPort, SERVER_FACTS, type ServerFacts } from "../call/port.ts";
import type { Store } from "../call/store.ts";
import { type NamedTools, type Tool, type ToolFilter, toToolTest } from "../call/tool.ts";
import { createOptionCheck, hasMethods, isObject, withMethods } from "../check-options.ts";
import { invalidOptions } from "../errors.ts";
import type { JsonSchemaValidator } from "../json/validator.ts";
import type { CallOrigin } from "../result/hop.ts";
import type { McpClientLike } from "../servers/to-port.ts";
import type { Host } from "./host.ts";

/**
 * A server of a host: an MCP client, a port, a function that connects one, or `{ client }` with one of these and options of this
 * server, as `http(url)` and `stdio(command)` return it.
 */
export type Server = McpClientLike | McpPort | ConnectServer | DescribedServer;

/** A server with its options. @inline */
export interface DescribedServer extends ServerFacts {
  readonly client: McpClientLike | McpPort | ConnectServer;
  /** If true, `host.close()` keeps the client open, for clients that others use as well. Default: false. */
  readonly shared?: boolean | undefined;
}

/** A server that a function connects, as `http(url)` and `stdio(command)` return it. @inline */
export interface ConnectedServer extends DescribedServer {
  readonly client: ConnectServer;
}

/**
 * Connects a server. It runs when the server is first needed, after its connection was lost, and, if it failed, when the server is
 * next needed. It gets the host that is being created.
 */
export type ConnectServer = (
  host: Host,
  options: ConnectOptions,
) => McpClientLike | McpPort | PromiseLike<McpClientLike | McpPort>;

/** The second argument of a function that connects a server. */
export interface ConnectOptions {
  /** Aborts when connecting takes longer than `limits.callTimeoutMs`, and when the host is closed. */
  readonly signal: AbortSignal;
  /** True if the host has an `onInputRequest`: a client may then declare the capability `elicitation`. */
  readonly elicitation: boolean;
}

/** The options of `createHost`: the servers, what may be called, by whom, and within which limits. */
export interface HostOptions<Schemas extends ToolSchemas = ToolSchemas> {
  /** The plugins, which run in the stages of every call. In each stage, the first plugin runs first. Default: none. */
  readonly use?: readonly Use[];
  /**
   * Decides about each call, including hops and steps. It may be asked twice about one call: count in `wrapCall` of a plugin.
   * Several policies are asked in order until one denies. One `"ask"` is enough to leave the call to a person. A policy that throws
   * denies. Default: a person decides about tools that their servers call destructive, unless the application itself calls.
   * `() => "allow"` lets these pass.
   */
  readonly authorize?: Policy | readonly Policy[];
  /**
   * Answers what a server asks the user in the middle of a call: fills in a form, or sends the user to a page. It runs in this
   * process, for one request of a call at a time, and at most ten times a call. Default: none. A call whose server asks then
   * fails with `needs-input`. Before MCP 2026-07-28, the server asks only if the client declares `elicitation`, and decides
   * itself what follows if no one can be asked.
   */
  readonly onInputRequest?: (request: ReceivedInput) => InputResponse | PromiseLike<InputResponse>;
  /**
   * The servers by their names in this host: MCP clients or ports, functions that connect them, or `{ client }` with one of these
   * and options of this server. A client that was passed in connected is not reconnected. A function may take
   * `limits.callTimeoutMs`.
   */
  readonly servers: { readonly [name: string]: Server };
  /** The tools that may be called, by anyone. Default: all that the servers list. */
  readonly allow?: ToolFilter;
  /**
   * Further tools that a person must approve, unless the application itself calls them: names and patterns, such as
   * `["shop.pay_refund", "bank.*"]`, or a function of the tool and the origin of the call, which answers `false` for the others.
   * It adds to what `authorize` asks, or to its default. `authorize` may still deny. Default: none.
   */
  readonly requireApproval?: readonly string[] | ((tool: Tool, origin: CallOrigin) => boolean);
  /**
   * Parsers of `structuredContent` by `server.tool`. `hop.output.value` is the typed value of the output. Default: none.
   */
  readonly schemas?: Schemas;
  /** The limits on what servers and models may cost. Default: those that `Limits` names. */
  readonly limits?: Partial<Limits>;
  /**
   * Keeps for `limits.approvalTtlMs` what was decided and made: approved and denied calls, calls with a key, guarded queries, hops
   * between two steps of the AI SDK, and long results of `references`. Processes that share a store that can `claim` make each of
   * these calls once; calls of LangGraph and of pipes have keys then. Default: the memory of this process.
   */
  readonly store?: Store;
  /**
   * Signs each question to a person, which is kept where others may write it: in messages, checkpoints, or a chain as JSON. An
   * approval without a valid signature is then `denied`. Give all processes of an application the same secret, of at least 32
   * random characters. Default: none, and nothing is signed.
   */
  readonly secret?: string;
  /**
   * A JSON Schema validator, as both MCP SDKs have. Default: Ajv, for 2020-12 and draft-07. Required where a runtime forbids
   * generated code, as Cloudflare Workers do.
   */
  readonly validator?: JsonSchemaValidator;
  /**
   * Receives an event for each stage of each call, and for each problem. If it throws, the console says so once. Default: problems
   * and warnings are written to the console, once each. `() => {}` ends that.
   */
  readonly onEvent?: (event: HostEvent) => void;
}

/** Throws `invalid-options` unless the options are an object of known names with values of the right kind. */
export const checkOptions = /* @__PURE__ */ createOptionCheck<HostOptions>(
  "createHost",
  {
    servers: { words: "an object of servers by name, such as { shop: client }", test: isObject },
    use: {
      words: "a list of plugins",
      test: (value: unknown) =>
        Array.isArray(value) &&
        value.every((one) => typeof one === "object" || typeof one === "function"),
    },
    allow: ["texts", "function"],
    requireApproval: ["texts", "function"],
    schemas: {
      words: "a Standard Schema for each tool, such as one of zod",
      test: (value) => isObject(value) && Object.values(value).every(isStandardSchema),
    },
    limits: "object",
    store: withMethods("a store", ["get", "set", "delete"]),
    secret: {
      words: "a text of at least 32 random characters",
      test: (value) => typeof value === "string" && value.length >= 32,
    },
    validator: withMethods("a validator", ["getValidator"]),
    onEvent: "function",
    authorize: {
      words:
        'a function, such as ({ tool }) => "ask", or a list of them (tools that a person must approve go into `requireApproval`)',
      test: (value) => [value].flat().every((one) => typeof one === "function"),
    },
    onInputRequest: "function",
  },
  { isRequired: true },
);

function isStandardSchema(value: unknown): boolean {
  return hasMethods(Object(value)["~standard"], "validate");
}

const checkServer = /* @__PURE__ */ createOptionCheck<DescribedServer>("A server", {
  client: "any",
  shared: "boolean",
  ...SERVER_FACTS,
});

/** Reads the servers of the options. Throws `invalid-options` if there are none, and for an invalid name or description. */
export function readServers(
  servers: HostOptions["servers"] = {},
): ReadonlyMap<string, DescribedServer> {
  const names = Object.keys(servers);
  if (names.length === 0)
    throw invalidOptions("`servers` needs at least one client or port, by the name of its server.");
  const wrong = names.find((name) => !SERVER_NAME.test(name));
  if (wrong !== undefined)
    throw invalidOptions(
      `The name ${JSON.stringify(wrong)} of a server must have no dots and no control characters, since the ids of tools are \`server.tool\`.`,
    );
  return new Map(names.map((name) => [name, toDescribed(name, servers[name] as Server)]));
}

/** One or more characters that a person sees, and no dot. */
const SERVER_NAME = /^[^.\p{C}\p{Zl}\p{Zp}]+$/u;

function toDescribed(name: string, server: Server): DescribedServer {
  if (!isDescribed(server)) return { client: server };
  checkServer(server, `the server "${name}"`);
  return server;
}

function isDescribed(server: Server): server is DescribedServer {
  return isObject(server) && "client" in server;
}

/** Collects the names of tools in the options of the host, and whether they protect. */
export function collectNames({
  allow,
  requireApproval = [],
  schemas = {},
}: HostOptions): NamedTools[] {
  const namesOf = (option: string, patterns: unknown, protects = false) =>
    Array.isArray(patterns)
      ? patterns.map((pattern): NamedTools => ({ option, pattern, protects }))
      : [];
  return [
    ...namesOf("allow", allow, true),
    ...namesOf("requireApproval", requireApproval, true),
    ...namesOf("schemas", Object.keys(schemas)),
  ];
}

/** Turns `authorize` and `requireApproval` into policies. Destructive tools ask as well, unless `authorize` decides about calls. */
export function readPolicies({
  authorize = [],
  requireApproval = [],
}: Pick<HostOptions, "authorize" | "requireApproval">): {
  readonly policies: readonly Policy[];
  readonly asksIfDestructive: boolean;
} {
  const policies = [authorize].flat();
  const asksIfDestructive = policies.length === 0;
  if (requireApproval.length === 0 && typeof requireApproval !== "function") {
    return { policies, asksIfDestructive };
  }
  return { policies: [...policies, toPolicy(requireApproval)], asksIfDestructive };
}

/**
 * Leaves calls of these tools to a person, unless the application itself makes them. Only `false` leaves nobody asked, so that a
 * promise or a forgotten `return` protects.
 */
function toPolicy(required: NonNullable<HostOptions["requireApproval"]>): Policy {
  const isAsked =
    typeof required === "function" ? required : toToolTest(required, "requireApproval");
  return ({ tool, origin }) =>
    origin.by !== "application" && isAsked(tool, origin) !== false ? "ask" : "allow";
}

/** The parsers of `structuredContent` by `server.tool`: any Standard Schema (zod, valibot, arktype, generated ones). */
export type ToolSchemas = { readonly [tool: string]: StandardSchemaV1 };
