/** An error of the command line or of a file that it names: exit code 2. The message contains the solution. */
export class UsageError extends Error {
  override readonly name = "UsageError";
  readonly code = "usage";
}
