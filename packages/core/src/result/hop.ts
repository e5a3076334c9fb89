import { isJsonObject, type JsonObject, measure } from "@toolrail/json";
import type { CallToolResult } from "./call-tool-result.ts";
import { contentBlockDefect } from "./content-block.ts";

/** Who asked for a call. `authorize`, `requestMeta`, interceptors and events see it. */
export type CallOrigin = {
  /** W3C trace context of the call that this one follows from, or of the run that waited for it: see `trace`. */
  readonly traceparent?: string;
  /**
   * True if the arguments hold content that is for the user alone. Then so is the result, and what a server says of an error,
   * unless the tool `releases` it.
   */
  readonly forUserAlone?: true;
} & (
  | { readonly by: "application" }
  | { readonly by: "model"; readonly toolCallId?: string }
  /** An app of a server, which the application shows to the user in a frame (MCP Apps): its server, and its `ui://` resource. */
  | { readonly by: "app"; readonly server: string; readonly uri: string }
  /** A `nextTool` in the result of the call `causedBy`, or a rule of the operator; `depth` is 1 for the second call. */
  | {
      readonly by: "chain";
      readonly causedBy: string;
      /** The tool of that call, `server.tool`. */
      readonly after: string;
      readonly depth: number;
      /** The name of the rule. Absent if the server asked. */
      readonly rule?: string;
    }
  /** A step of a pipe. `author` says who wrote the pipe; `path` is the step's place in it. */
  | {
      readonly by: "pipe";
      readonly pipeId: string;
      readonly path: string;
      readonly author: "application" | "model";
    }
);

/** The origin with the trace context that it follows from, if any. */
export function toTraced(origin: CallOrigin, traceparent: string | undefined): CallOrigin {
  return traceparent === undefined ? origin : { ...origin, traceparent };
}

/** The outcome of checking a result. The raw result is kept in any case. */
export type OutputVerdict<T = unknown> =
  /** Nothing to check: no output schema and no parser, an error, or a widget. */
  | { readonly status: "unchecked" }
  /** `value` is `structuredContent`, or what the registered parser made of it. */
  | { readonly status: "valid"; readonly value: T }
  | {
      readonly status: "invalid";
      readonly message: string;
      /** Models read it all the same, marked: see `invalidOutput` of a server. */
      readonly shown?: true;
    };

/** The tool of a hop, or of a pending call. */
export function toRef({ server, tool }: { readonly server: string; readonly tool: string }) {
  return { server, name: tool };
}

/** One finished tool call: what was asked, by whom, what came back and how long it took. Plain JSON. */
export interface Hop<T = unknown> {
  readonly callId: string;
  /** The same for all calls of one chain or one pipe. */
  readonly runId: string;
  readonly server: string;
  readonly tool: string;
  readonly arguments: JsonObject;
  /** The arguments as the model wrote them, if they contained addresses of kept results. */
  readonly written?: JsonObject;
  /** What was asked for, if the person who approved the call changed its arguments. */
  readonly changedFrom?: JsonObject;
  /** The name under which `host.keep` kept the long result: `result` and `arguments` are then shortened. */
  readonly kept?: string;
  readonly origin: CallOrigin;
  readonly result: CallToolResult;
  readonly output: OutputVerdict<T>;
  /** True if the call was made before, by another worker or on the same approval: this is that call, and no second one. */
  readonly madeBefore?: true;
  /** The result has no content, and its tool or its `_meta` says that the application shows it. */
  readonly isWidget?: true;
  /** Milliseconds since the epoch. */
  readonly startedAtMs: number;
  readonly durationMs: number;
}

/** True if the output of a hop is invalid and the host does not show such output. */
export function isLeftOut(
  hop: Hop,
): hop is Hop & { readonly output: { readonly status: "invalid" } } {
  return hop.output.status === "invalid" && hop.output.shown !== true;
}

/** True for a valid hop read from a store, a state or a session. */
export function isHop(value: unknown): value is Hop {
  if (!isCall(value) || !isJsonObject(value.result) || !isJsonObject(value.output)) return false;
  const { callId, runId, result } = value;
  const { content, _meta = {} } = result;
  if (typeof callId !== "string" || typeof runId !== "string" || !isJsonObject(_meta)) return false;
  return Array.isArray(content) && content.every((block) => !contentBlockDefect(block));
}

/** True for a valid call, made or pending, read from outside: its tool, its arguments and who asked. */
export function isCall(
  value: unknown,
): value is Pick<Hop, "server" | "tool" | "arguments" | "origin"> & JsonObject {
  if (!isJsonObject(value) || !isJsonObject(value.origin)) return false;
  const { server, tool, arguments: args, origin, changedFrom = args } = value;
  if (![args, changedFrom].every((one) => isJsonObject(one) && !measure(one, KEPT))) return false;
  return [server, tool, origin.by].every((text) => typeof text === "string");
}

/** For arguments: they have already been measured against its host's limits. */
const KEPT = { maxBytes: Number.MAX_SAFE_INTEGER, maxDepth: 512 };
