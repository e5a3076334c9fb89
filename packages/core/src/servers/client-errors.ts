import type { SdkClient } from "./sdk-client.ts";

/** Adds to the error of a request that its connection ended what the client was told first. */
type Explain = <T>(answer: Promise<T>) => Promise<T>;

const EXPLAIN = Symbol.for("toolrail.explain-errors");

/** One for each client, however many hosts have it; the application's own `onerror` goes on being called. */
export function explainErrors(client: Pick<SdkClient, "onerror">): Explain {
  const { onerror } = client;
  const known = (onerror as { readonly [EXPLAIN]?: Explain } | undefined)?.[EXPLAIN];
  if (known) return known;
  let first: Error | undefined;
  const explain: Explain = async (answer) => {
    try {
      const answered = await answer;
      first = undefined;
      return answered;
    } catch (cause) {
      const { message = "", code } = cause as { message?: string; code?: unknown };
      if (!first || !/Connection closed$/.test(message)) throw cause;
      throw Object.assign(new Error(`${message}: ${first.message}`, { cause }), { code });
    }
  };
  const onError = (error: Error) => {
    first ??= error;
    onerror?.(error);
  };
  client.onerror = Object.assign(onError, { [EXPLAIN]: explain });
  return explain;
}
