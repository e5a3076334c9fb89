/** The command line is wrong, or a file that it names is: exit code 2. The message says what to change. */
export class UsageError extends Error {
  override readonly name = "UsageError";
  readonly code = "usage";
}
