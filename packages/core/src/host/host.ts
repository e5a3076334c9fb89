import type { ChainResult, Decision } from "../result/chain-result.ts";
import type { Hop } from "../result/hop.ts";
import type { CallOptions, CallRequest, CheckedCall } from "../types/call-options.ts";
import type { KeepOptions } from "../types/plugin.ts";
import type { HostProblem, Tool, ToolName } from "../types/tool.ts";
import type { SchemaArguments, SchemaValue, ToolSchemas } from "./tool-schemas.ts";

/** The one place through which tools are called. Created by `createHost`. */
export interface Host {
  /** Tools that may be called now, including app-only ones (see `forModel`). */
  readonly tools: readonly Tool[];
  /** Problems with individual servers and tools; the others are not affected. */
  readonly problems: readonly HostProblem[];
  /**
   * Each server's own instructions for its tools, by the server's name: from connected servers that send any, at
   * most 32,768 characters each. The application must judge them: no adapter puts them into a prompt.
   */
  readonly instructions: Readonly<Record<string, string>>;
  /** The tool of this name. Throws `unknown-tool`, `ambiguous-tool`, `quarantined-tool`, `not-allowed` or `server-unavailable`. */
  find(tool: ToolName): Tool;
  /**
   * Checks a call, `authorize` included, and does not make it. Pass the answer to `call`, `run` or `stream` in place of the
   * request: that makes this very call, once, and nothing is checked or asked again. Rejects only with `invalid-options`.
   */
  check(request: CallRequest, options?: CallOptions): Promise<CheckedCall>;
  /**
   * Makes one call; a `nextTool` in its result is not followed. A result with `isError` is a result like any other. Rejects
   * with `ToolrailError` if there is no result.
   */
  call(request: CallRequest | CheckedCall, options?: CallOptions): Promise<Hop>;
  /** Makes a call and all calls that follow from it: see `ended` and `error`. Rejects only with `invalid-options`. */
  run(request: CallRequest | CheckedCall, options?: CallOptions): Promise<ChainResult>;
  /** Like `run`, but yields each hop as it finishes; returns the same result. */
  stream(
    request: CallRequest | CheckedCall,
    options?: CallOptions,
  ): AsyncGenerator<Hop, ChainResult, undefined>;
  /**
   * Continues a chain that needs approval or input. No answered call is repeated, and the pending call
   * must still follow from the last result. Input that does not fit is not sent: the chain asks again. Rejects with
   * `invalid-options` for any other chain.
   */
  resume(chain: ChainResult, decision: Decision, options?: CallOptions): Promise<ChainResult>;
  /**
   * A call or a chain as a model reads it and a framework keeps it: long results are shortened, with their address,
   * and arguments are as the model wrote them. Without `references()` it returns the same value. Pass the result to `modelView`.
   */
  keep<Source extends Hop | ChainResult>(source: Source, options?: KeepOptions): Promise<Source>;
  /** Reads the tools of all servers, or of one, again. A server that does not answer keeps its old list. */
  refresh(server?: string): Promise<void>;
  /** Closes the clients, except shared ones. Calls after this reject with `host-closed`. */
  close(): Promise<void>;
}

/** The request of a tool with typed arguments; otherwise any. */
type TypedRequest<Name extends string, Schema> = [SchemaArguments<Schema>] extends [never]
  ? CallRequest<Name>
  : { readonly tool: Name; readonly arguments: SchemaArguments<Schema> };

type OtherTool<Name, Schemas> = string extends keyof Schemas ? Name : Exclude<Name, keyof Schemas>;

/** The typed signatures of `call` if parsers are registered. */
export interface TypedCalls<Schemas extends ToolSchemas> {
  /** Carries the types of the parsers; no such value exists. */
  readonly "~schemas"?: Schemas;
  /** Makes a call of a tool with a parser: `output.value` has its type. */
  call<Name extends keyof Schemas & string>(
    request: TypedRequest<Name, Schemas[Name]>,
    options?: CallOptions,
  ): Promise<Hop<SchemaValue<Schemas[Name]>>>;
  /** For a call that `host.check` has checked. */
  call(checked: CheckedCall, options?: CallOptions): Promise<Hop>;
  /** For all other tools. */
  call<Name extends ToolName>(
    request: CallRequest<Name> & { readonly tool: OtherTool<Name, Schemas> },
    options?: CallOptions,
  ): Promise<Hop>;
}

/** A host whose calls are typed by `schemas`. */
export type TypedHost<Schemas extends ToolSchemas> = TypedCalls<Schemas> & Omit<Host, "call">;
