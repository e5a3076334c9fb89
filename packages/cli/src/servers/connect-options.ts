/** How a server is connected. */
export interface ConnectOptions {
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Headers of every request, over those of the target. */
  readonly headers: Readonly<Record<string, string>>;
  /** Sees what the server writes to its standard error, as it comes. */
  readonly onStderr?: ((text: string) => void) | undefined;
  /** Told at once of a started program's way to be ended. */
  readonly onStart?: (kill: () => void) => void;
}
