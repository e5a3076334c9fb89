import type { HostProblem } from "./call/tool.ts";
import { plainText } from "./json/plain-text.ts";
import type { UsedReference } from "./result/hop.ts";

/** The code of an error. The message of each error names what happened, where, and what to do. */
export type ToolrailErrorCode =
  // Misuse of the API.
  | "invalid-options"
  /** An application's callback or plugin threw an error: see `cause`. */
  | "callback-failed"
  // Refused before anything was sent.
  | "unknown-tool"
  /** The definition of the tool, or its schema, cannot be used. */
  | "quarantined-tool"
  /** The tool is not for this caller: `allow` of the host or of the guard leaves it out, or it is for the application alone. */
  | "not-allowed"
  /** The arguments break the tool's schema, contain an address that cannot be read, or are too large. Or a plan is no plan. */
  | "invalid-arguments"
  /** A policy or a person denied the call or the query, or its approval does not count. */
  | "denied"
  | "needs-approval"
  /** The server asks the user for input, and the host was created without `onInputRequest`. */
  | "needs-input"
  /**
   * No result asks for this call as a hop, or not any more, or not with these arguments. Or the pipe to resume is not
   * paused.
   */
  | "unknown-hop"
  // Decided by the chain.
  /** A result, a rule or a plugin asks for a next call that cannot be read or determined. */
  | "malformed-next-tool"
  | "chain-cycle"
  | "chain-depth"
  // Decided by the guard.
  /** The tool, or an approved call, has changed since the query began or since a person was asked. */
  | "tool-changed"
  /** The query has used its one call, or is making it. */
  | "step-used"
  // Decided by a pipe.
  | "invalid-pipe"
  // The call itself.
  | "server-unavailable"
  /** The server asks for a sign-in first. Nothing was executed. */
  | "needs-sign-in"
  | "protocol"
  | "timeout"
  | "aborted"
  /** Another worker is making this call and has not finished. */
  | "claimed-elsewhere"
  /** The call was sent and has no answer: its time was up, or its connection or worker was lost. It may have taken effect, so it is not repeated. */
  | "outcome-unknown"
  // The answer.
  /** The output of a tool breaks its `outputSchema`, or its parser rejects it. */
  | "invalid-output"
  /** The server's answer is no MCP result, of a kind that is not supported, or too large. */
  | "malformed-result";

/**
 * Returns a caught `ToolrailError` itself, and wraps any other value in one with the code `callback-failed`. The message
 * does not quote the cause, since a model may read it.
 */
export function toToolrailError(cause: unknown, what: string): ToolrailError {
  if (ToolrailError.isInstance(cause)) return cause;
  return new ToolrailError(
    "callback-failed",
    `${what}: a callback threw an error (see \`cause\`).`,
    { cause },
  );
}

/** Creates the error for options that cannot be used. */
export function invalidOptions(message: string): ToolrailError {
  return new ToolrailError("invalid-options", message);
}

/** The type of `data` by code. It is `undefined` for all other codes. */
export interface ToolrailErrorData {
  readonly "quarantined-tool": HostProblem;
  /** The description of the question, for `approved`. */
  readonly "needs-approval": {
    readonly binding: string;
    readonly reason?: string;
    /** The reason why the arguments of the person who approved the call cannot be sent. */
    readonly problem?: string;
    readonly references?: readonly UsedReference[];
  };
  readonly "server-unavailable": { readonly problems: readonly HostProblem[] };
  /** The name of the server in `createHost`. */
  readonly "needs-sign-in": { readonly server: string };
  /** The problems of the spec, each with its path. */
  readonly "invalid-pipe": {
    readonly problems: readonly { readonly path: string; readonly message: string }[];
  };
  /** The JSON-RPC error of the server. */
  readonly protocol: { readonly code: number; readonly data?: unknown };
}

type DataOf<Code> = Code extends keyof ToolrailErrorData ? ToolrailErrorData[Code] : undefined;

/** A `ToolrailError` as plain data. Its `data` holds details that depend on the code. */
export interface ErrorRecord<Code extends ToolrailErrorCode = ToolrailErrorCode> {
  readonly code: Code;
  readonly message: string;
  readonly data?: DataOf<Code> | undefined;
  /** The caught value. Only the process that caught it has it, since it is never stored. */
  readonly cause?: unknown;
}

const MARKER = Symbol.for("toolrail.error");

/** An error of Toolrail. `code` names its kind, `data` holds details for some codes, and `cause` is the caught value. */
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
   * Returns true if a value is a `ToolrailError`, even from another copy of the package, with this `code` if one is given.
   */
  static isInstance<Code extends ToolrailErrorCode = ToolrailErrorCode>(
    value: unknown,
    code?: Code,
  ): value is ToolrailError<Code> {
    if (typeof value !== "object" || value === null || !(MARKER in value)) return false;
    return code === undefined || ("code" in value && value.code === code);
  }

  /** Returns code, message and data, without stack and cause. */
  toJSON(): ErrorRecord<Code> {
    const { code, message, data } = this;
    return data === undefined ? { code, message } : { code, message, data };
  }
}
