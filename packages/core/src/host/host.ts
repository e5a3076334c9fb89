import type { StandardSchemaV1 } from "@standard-schema/spec";
import type { Admission } from "../call/admission.ts";
import type { CallOptions, CallRequest } from "../call/call-request.ts";
import type { HostProblem, HostTool, ToolName } from "../call/tool.ts";
import type { ApprovalDecision } from "../chain/resume-chain.ts";
import type { ChainResult } from "../result/chain-result.ts";
import type { Hop } from "../result/hop.ts";
import type { ToolSchemas } from "./host-options.ts";
import type { KeepOptions } from "./keep-long-results.ts";

/** The one place through which tools are called. Made by `createHost`. */
export interface Host {
  /** Tools that may be called now, app-only ones included (`forModel` tells them). */
  readonly tools: readonly HostTool[];
  /** What is wrong with single servers and tools; the others are not affected. */
  readonly problems: readonly HostProblem[];
  /** Throws `unknown-tool`, `ambiguous-tool`, `quarantined-tool`, `not-allowed` or `server-unavailable`. */
  find(tool: ToolName): HostTool;
  /**
   * What the door says of a call, `authorize` included, without making it: spend it with
   * `{ admission }` in `call` or `run`, and `authorize` is not asked again. Never rejects.
   */
  check(request: CallRequest, options?: CallOptions): Promise<Admission>;
  /**
   * Makes one call through the door; a `nextTool` in its result is not followed. A tool's `isError` is
   * a result like any other. Rejects with `ToolrailError` where there is no result.
   */
  call(request: CallRequest, options?: CallOptions): Promise<Hop>;
  /** Makes a call and all that follow from it. Never rejects: see `ended` and `error`. */
  run(request: CallRequest, options?: CallOptions): Promise<ChainResult>;
  /** As `run`, yielding each hop when it is there; returns the same result. */
  stream(request: CallRequest, options?: CallOptions): AsyncGenerator<Hop, ChainResult, undefined>;
  /**
   * Goes on with a chain that needs approval. No call that was made is made again, and the pending call
   * must still follow from the last result. Rejects with `invalid-options` for any other chain.
   */
  resume(
    chain: ChainResult,
    decision: ApprovalDecision,
    options?: CallOptions,
  ): Promise<ChainResult>;
  /**
   * A call or a chain as a model is to read it and as a framework keeps it: long results are short, with their address,
   * and arguments are as they were written. Where `references` is off it is the same value. Give what it returns to `modelView`.
   */
  keep<Source extends Hop | ChainResult>(source: Source, options?: KeepOptions): Promise<Source>;
  /** Reads the tools of all servers, or of one, again. A server that does not answer keeps its old list. */
  refresh(server?: string): Promise<void>;
  /** Closes the clients, except shared ones. Calls after this reject with `host-closed`. */
  close(): Promise<void>;
}

/** The typed face of `call` where parsers are registered. */
export interface TypedCalls<Schemas extends ToolSchemas> {
  /** Carries the types of the parsers; there is no such value. */
  readonly "~schemas"?: Schemas;
  call<Name extends keyof Schemas & string>(
    request: CallRequest<Name>,
    options?: CallOptions,
  ): Promise<Hop<StandardSchemaV1.InferOutput<Schemas[Name]>>>;
}
