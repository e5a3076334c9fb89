import type { StandardSchemaV1 } from "@standard-schema/spec";
import type { CallOptions, CallRequest, CallVerdict } from "../call/call-options.ts";
import type { KeepOptions } from "../call/plugin.ts";
import type { HostProblem, Tool, ToolName } from "../call/tool.ts";
import type { ChainResult, Decision, Hop } from "../result/hop.ts";
import type { ToolSchemas } from "./host-options.ts";

/** A host: the one way to call tools. `createHost` creates it. */
export interface Host {
  /** The tools that may be called now, including those for apps alone (see `forModel`). */
  readonly tools: readonly Tool[];
  /** The problems with single servers and tools. All others work. */
  readonly problems: readonly HostProblem[];
  /**
   * The instructions of each connected server for its tools, by the server's name, at most 32,768 characters each. The application
   * must judge them: no adapter puts them into a prompt.
   */
  readonly instructions: Readonly<Record<string, string>>;
  /** Finds a tool by its name. Throws `unknown-tool`, `quarantined-tool`, `not-allowed` or `server-unavailable`. */
  find(tool: ToolName): Tool;
  /**
   * Checks a call, including `authorize`, and does not make it. Policies are asked again when the call is made. Rejects only with
   * `invalid-options`.
   */
  check(request: CallRequest, options?: CallOptions): Promise<CallVerdict>;
  /**
   * Makes one call. A `nextTool` in its result is not followed. A result with `isError` is a result like any other. Rejects with
   * `ToolrailError` if there is no result.
   */
  call(request: CallRequest, options?: CallOptions): Promise<Hop>;
  /** Makes a call and all calls that follow from it: see `ended` and `error`. Rejects only with `invalid-options`. */
  run(request: CallRequest, options?: CallOptions): Promise<ChainResult>;
  /**
   * Continues a chain that needs approval or input. No answered call is repeated, and the pending call must still follow from the
   * last result. Input that does not fit is not sent: the chain asks again. Rejects with `invalid-options` for any other chain.
   */
  resume(chain: ChainResult, decision: Decision, options?: CallOptions): Promise<ChainResult>;
  /**
   * Prepares a call or a chain for a model and for the framework's messages: long results are shortened, with their address, and
   * arguments are those that the model wrote. Without `references()` it returns the same value. Pass the result to `modelView`.
   */
  keep<Source extends Hop | ChainResult>(source: Source, options?: KeepOptions): Promise<Source>;
  /** Reads the tools of all servers, or of one, again. A server that does not answer keeps its old list. */
  refresh(server?: string): Promise<void>;
  /** Closes the clients, except shared ones. Later calls reject with `aborted`. */
  close(): Promise<void>;
}

type OtherTool<Name, Schemas> = string extends keyof Schemas ? Name : Exclude<Name, keyof Schemas>;

/** A host whose calls are typed by `schemas`. */
export interface TypedHost<Schemas extends ToolSchemas> extends Omit<Host, "call"> {
  /** Makes a call of a tool with a parser: `output.value` has its type. */
  call<Name extends keyof Schemas & string>(
    request: CallRequest<Name>,
    options?: CallOptions,
  ): Promise<Hop<StandardSchemaV1.InferOutput<Schemas[Name]>>>;
  /** Makes a call of any other tool. */
  call<Name extends ToolName>(
    request: CallRequest<Name> & { readonly tool: OtherTool<Name, Schemas> },
    options?: CallOptions,
  ): Promise<Hop>;
}
