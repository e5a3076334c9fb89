/** One request to a model, as it went over the wire. */
export interface ModelCallReport {
  readonly id: string;
  readonly state: "running" | "done" | "error";
  readonly durationMs?: number;
  readonly tokens?: number;
}

/**
 * A `fetch` that reports every request and the tokens its answer names, whichever client makes it.
 * `onCall` hears of a request when it is sent and when its answer has been read.
 */
export function createMeteredFetch(onCall: (call: ModelCallReport) => void): typeof fetch {
  return async (input, init) => {
    const id = crypto.randomUUID();
    const startMs = performance.now();
    let isOver = false;
    const end = (state: "done" | "error", tokens?: number) => {
      if (isOver) return;
      isOver = true;
      const durationMs = performance.now() - startMs;
      onCall({ id, state, durationMs, ...(tokens !== undefined && { tokens }) });
    };
    onCall({ id, state: "running" });
    let response: Response;
    try {
      response = await fetch(input, init);
    } catch (error) {
      end("error");
      throw error;
    }
    if (!response.body) {
      end(response.ok ? "done" : "error");
      return response;
    }
    const tail = createTail();
    const finish = () => end(response.ok ? "done" : "error", readTokens(tail.text()));
    const transformer = {
      transform(chunk: Uint8Array, controller: TransformStreamDefaultController<Uint8Array>) {
        tail.add(chunk);
        // Not every client reads on after this line.
        if (tail.text().includes("data: [DONE]")) finish();
        controller.enqueue(chunk);
      },
      flush: finish,
      cancel: finish,
    };
    const metered = response.body.pipeThrough(new TransformStream(transformer));
    const { status, statusText, headers } = response;
    return new Response(metered, { status, statusText, headers });
  };
}

/** Usage comes last, in a stream as in one document; more than this is never needed. */
const TAIL_CHARS = 4096;

function createTail() {
  const decoder = new TextDecoder();
  let text = "";
  return {
    add(chunk: Uint8Array) {
      text = (text + decoder.decode(chunk, { stream: true })).slice(-TAIL_CHARS);
    },
    text: () => text,
  };
}

function readTokens(text: string): number | undefined {
  const found = [...text.matchAll(/"total_tokens"\s*:\s*(\d+)/g)].at(-1)?.[1];
  return found === undefined ? undefined : Number(found);
}
