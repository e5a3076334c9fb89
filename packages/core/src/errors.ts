/** Everything that can go wrong, told apart. The message of an error always says what to do about it. */
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
  /** A call that looks like a hop and that no result asks for, or not in this way, or not any more. */
  | "unknown-hop"
  // Decided by the chain.
  | "malformed-next-tool"
  | "chain-cycle"
  | "chain-depth"
  // Decided by the guard.
  | "malformed-plan"
  /** The operator's allowlist does not hold the tool, or is itself missing or broken. */
  | "not-on-allowlist"
  /** The tool is not what it was when the query began. */
  | "tool-changed"
  /** The query has had its one call, or is having it. */
  | "step-used"
  /** The input policy refused the query. */
  | "query-refused"
  // Decided by a pipe.
  | "invalid-pipe"
  | "unresolved-reference"
  | "pipe-limit"
  // The call itself.
  | "server-unavailable"
  | "connection"
  | "protocol"
  | "timeout"
  | "aborted"
  // The answer.
  | "unsupported-result"
  | "malformed-result"
  | "result-too-large";

export interface ToolrailErrorOptions {
  readonly data?: unknown;
  readonly cause?: unknown;
}

const MARKER = Symbol.for("toolrail.error");

/** The one error class of Toolrail. `data` holds details by code; `cause` what was caught. */
export class ToolrailError extends Error {
  override readonly name = "ToolrailError";
  readonly code: ToolrailErrorCode;
  readonly data: unknown;

  constructor(code: ToolrailErrorCode, message: string, options: ToolrailErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.data = options.data;
    Object.defineProperty(this, MARKER, { value: true });
  }

  /** True for an error of this class, also when it comes from another copy of the package. */
  static isInstance(value: unknown): value is ToolrailError {
    return typeof value === "object" && value !== null && MARKER in value;
  }

  toJSON(): { code: ToolrailErrorCode; message: string; data?: unknown } {
    const { code, message, data } = this;
    return data === undefined ? { code, message } : { code, message, data };
  }
}
