import type { JsonObject } from "@toolrail/json";
import { lostError } from "./lost-connection.ts";

interface CutStreams {
  /** Ends with the answer, or as soon as the server turns out to be gone. */
  race<T>(answer: PromiseLike<T>): Promise<T>;
  /** Receives each error that the client reports apart from its requests. */
  onError(error: unknown): void;
}

interface WatchOptions {
  /** Runs after each answer. */
  readonly onAnswer?: () => void;
  /** Replaces the error of a request. Default: the error stays the same. */
  readonly explained?: (cause: unknown) => unknown;
}

/**
 * Ends the requests that wait for a server which has died. A client only reports that the stream of an answer was cut, and waits
 * for the answer until its time is up. A stream may also be cut without harm, so the server is pinged first.
 */
export function watchCutStreams(
  ping: () => PromiseLike<unknown>,
  { onAnswer, explained = (cause) => cause }: WatchOptions = {},
): CutStreams {
  const waiting = new Set<(cause: unknown) => void>();
  let isPinging = false;
  const probe = async () => {
    isPinging = true;
    const pending = [...waiting];
    try {
      await ping();
    } catch (cause) {
      if (lostError(cause, { server: "", next: "" })) {
        const error = Object.assign(new Error("MCP error -32000: Connection closed", { cause }), {
          code: -32_000,
        });
        for (const reject of pending) reject(explained(error));
      }
    } finally {
      isPinging = false;
    }
  };
  return {
    race: (answer) =>
      new Promise((resolve, reject) => {
        waiting.add(reject);
        answer.then(
          (answered) => {
            waiting.delete(reject);
            onAnswer?.();
            resolve(answered);
          },
          (cause) => {
            waiting.delete(reject);
            reject(explained(cause));
          },
        );
      }),
    onError(error) {
      const { name, code, status, statusCode = status } = Object(error) as JsonObject;
      // A message that cannot be read, or an answer with a status, which ends its own request.
      const isAnswered =
        name === "SyntaxError" || name === "ZodError" || (code ?? statusCode) != null;
      if (waiting.size > 0 && !isPinging && !isAnswered) void probe();
    },
  };
}

/** The longest that a server may take to show that it is alive. */
export const PING_TIMEOUT_MS = 10_000;
