/** One request to a model, as it went over the wire. */
export interface ModelCall {
  readonly id: string;
  readonly state: "running" | "done" | "error";
  readonly durationMs?: number;
  readonly tokens?: number;
}

export interface MeteredFetch {
  readonly fetch: typeof fetch;
  /** Resolves when all requests so far have been reported to their end. */
  settled(): Promise<unknown>;
}

/**
 * A `fetch` that reports every request and the tokens its answer names, whichever client makes it.
 * `onCall` hears of a request when it is sent and when its answer has been read.
 */
export function createMeteredFetch(onCall: (call: ModelCall) => void): MeteredFetch {
  const pending = new Set<Promise<void>>();

  async function report(id: string, answer: Promise<Response>): Promise<void> {
    const startMs = performance.now();
    onCall({ id, state: "running" });
    const end = (state: ModelCall["state"], text = "") => {
      const found = [...text.matchAll(/"total_tokens"\s*:\s*(\d+)/g)].at(-1)?.[1];
      const durationMs = performance.now() - startMs;
      onCall({ id, state, durationMs, ...(found && { tokens: Number(found) }) });
    };
    try {
      const response = await answer;
      end(response.ok ? "done" : "error", await response.text());
    } catch {
      end("error");
    }
  }

  return {
    async fetch(input, init) {
      const response = fetch(input, init);
      const reported = report(
        crypto.randomUUID(),
        response.then((one) => one.clone()),
      );
      pending.add(reported);
      void reported.finally(() => pending.delete(reported));
      return response;
    },
    settled: () => Promise.all(pending),
  };
}
