import { plainText } from "@toolrail/json";
import type { InputRequest } from "./result/input-request.ts";
import type { UsedReference } from "./result/used-reference.ts";
import type { HostProblem, ToolRef } from "./types/tool.ts";

/** A code for everything that can go wrong. The message of an error always says what to do about it. */
export type ToolrailErrorCode =
  // Misuse of the API.
  | "invalid-options"
  | "unknown-client"
  | "host-closed"
  /** An interceptor or `requestMeta` of the application threw: see `cause`. */
  | "callback-failed"
  // Refused before anything was sent.
  | "unknown-tool"
  | "ambiguous-tool"
  | "quarantined-tool"
  | "not-allowed"
  | "invalid-schema"
  | "invalid-arguments"
  | "denied"
  | "needs-approval"
  /** The arguments contain an address of a result that is no longer kept, or that has no such part. */
  | "reference-lost"
  /** The server asks the user something before it continues: see `host.resume`. */
  | "needs-input"
  /** An answer to a question that this call did not ask, or that is no longer open. */
  | "unknown-input"
  /** A call that looks like a hop, but that no result asks for, or no longer, or not like this; or a pipe that is not waiting. */
  | "unknown-hop"
  // Decided by the chain.
  | "malformed-next-tool"
  /** A rule of the operator, or another plugin, applies, but its call cannot be determined. */
  | "rule-failed"
  | "chain-cycle"
  | "chain-depth"
  // Decided by the guard.
  | "malformed-plan"
  /** The tool is not on the operator's allowlist, or the list is missing or broken. */
  | "not-on-allowlist"
  /** The tool, or an approved call, has changed since the query began or since a person was asked. */
  | "tool-changed"
  /** The query has used its one call, or is making it. */
  | "step-used"
  /** The input policy refused the query. */
  | "query-refused"
  // Decided by a pipe.
  | "invalid-pipe"
  | "unresolved-reference"
  | "pipe-limit"
  // The call itself.
  | "server-unavailable"
  /** The server asks for a sign-in before it does anything: nothing was executed. */
  | "needs-sign-in"
  | "connection"
  | "protocol"
  | "timeout"
  | "aborted"
  /** Another worker is making this call and has no answer yet. */
  | "claimed-elsewhere"
  /** The call was sent, but its connection or worker was lost: it may have taken effect. It is not repeated. */
  | "outcome-unknown"
  // The answer.
  /** The output of a tool breaks its `outputSchema`, or its parser rejects it. */
  | "invalid-output"
  | "unsupported-result"
  | "malformed-result"
  | "result-too-large";

/**
 * Turns whatever was caught into a `ToolrailError`: itself if it is one, otherwise `callback-failed`. The message quotes
 * nothing of the cause, since a model may read it.
 */
export function toToolrailError(cause: unknown, what: string): ToolrailError {
  if (ToolrailError.isInstance(cause)) return cause;
  return new ToolrailError(
    "callback-failed",
    `${what}: a callback threw an error (see \`cause\`).`,
    { cause },
  );
}

/** The type of `data`, for the codes that have details. For all others it is `undefined`. */
export interface ToolrailErrorData {
  readonly "ambiguous-tool": { readonly candidates: readonly ToolRef[] };
  readonly "quarantined-tool": HostProblem;
  /** What an approval of the call is bound to: see `approved`. */
  readonly "needs-approval": {
    readonly binding: string;
    readonly reason?: string;
    readonly references?: readonly UsedReference[];
  };
  /** What is asked. Absent if the call cannot wait for an answer. */
  readonly "needs-input": InputRequest;
  readonly "server-unavailable": { readonly problems: readonly HostProblem[] };
  /** The name of the server in `createHost`. */
  readonly "needs-sign-in": { readonly server: string };
  /** The problems of the spec, each with its path. */
  readonly "invalid-pipe": {
    readonly problems: readonly { readonly path: string; readonly message: string }[];
  };
  /** The JSON-RPC error of the server. */
  readonly protocol: { readonly code: number; readonly data?: unknown };
  /**
   * If an approval makes the call once more: how often it was made, as far as is known, and what the approval is
   * bound to. Absent if the call has no key in the store: then the application must find out what happened.
   */
  readonly "outcome-unknown": { readonly attempts: number; readonly binding: string };
  readonly "unsupported-result": { readonly resultType: unknown };
}

type DataOf<Code> = Code extends keyof ToolrailErrorData ? ToolrailErrorData[Code] : undefined;

/** A `ToolrailError` as plain data. Its `data` holds details that depend on the code. */
export interface ErrorRecord<Code extends ToolrailErrorCode = ToolrailErrorCode> {
  readonly code: Code;
  readonly message: string;
  readonly data?: DataOf<Code> | undefined;
  /** What was caught. Only the process that caught it has this: it is never written down. */
  readonly cause?: unknown;
}

const MARKER = Symbol.for("toolrail.error");

/** Toolrail's only error class. `data` holds details that depend on the code; `cause` is what was caught. */
export class ToolrailError<Code extends ToolrailErrorCode = ToolrailErrorCode> extends Error {
  override readonly name = "ToolrailError";
  readonly code: Code;
  readonly data: DataOf<Code> | undefined;

  constructor(
    code: Code,
    message: string,
    { data, cause }: { readonly data?: DataOf<Code>; readonly cause?: unknown } = {},
  ) {
    super(plainText(message), cause === undefined ? undefined : { cause });
    this.code = code;
    this.data = data;
    Object.defineProperty(this, MARKER, { value: true });
  }

  /**
   * True for an error of this class, even from another copy of the package. With a code it is
   * true only for that code, and `data` has its type.
   */
  static isInstance<Code extends ToolrailErrorCode = ToolrailErrorCode>(
    value: unknown,
    code?: Code,
  ): value is ToolrailError<Code> {
    if (typeof value !== "object" || value === null || !(MARKER in value)) return false;
    return code === undefined || ("code" in value && value.code === code);
  }

  /** Code, message and data, without the stack and the cause. */
  toJSON(): ErrorRecord<Code> {
    const { code, message, data } = this;
    return data === undefined ? { code, message } : { code, message, data };
  }
}
