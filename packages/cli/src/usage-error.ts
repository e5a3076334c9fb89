const MARKER = Symbol.for("toolrail.usage-error");

/** The command line is wrong, or a file that it names is: exit code 2. The message says what to change. */
export class UsageError extends Error {
  override readonly name = "UsageError";

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    Object.defineProperty(this, MARKER, { value: true });
  }

  static isInstance(value: unknown): value is UsageError {
    return typeof value === "object" && value !== null && MARKER in value;
  }
}
