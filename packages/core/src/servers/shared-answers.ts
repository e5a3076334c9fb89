import { askedTooOften } from "../call/input-requests.ts";
import type { PortOptions } from "../call/port.ts";
import { ToolrailError } from "../errors.ts";

interface CallUnderWay {
  /** The port through which it is made. */
  readonly port: object;
  readonly onElicitation: NonNullable<PortOptions["onElicitation"]>;
}

/** The calls that are under way on a client, in order. */
const underWay = new WeakMap<object, Set<CallUnderWay>>();

/**
 * Answers the input requests of a client before MCP 2026-07-28. Such a request names no call, so the oldest call that may still
 * ask answers it. Several hosts may share a client, each for another user: then only one of them may be making calls. Returns
 * `undefined` if the application has its own handler.
 */
export function shareAnswers(client: object, { hasHandler }: { readonly hasHandler: boolean }) {
  if (hasHandler && !underWay.has(client)) return undefined;
  const calls = underWay.get(client) ?? new Set();
  underWay.set(client, calls);
  const port = {};
  return {
    async answer(params: unknown, signal?: AbortSignal): Promise<unknown> {
      if (new Set([...calls].map((call) => call.port)).size > 1) {
        const message =
          "Several hosts share this client, so it is unclear whose user has to answer.";
        throw new ToolrailError("needs-input", message);
      }
      for (const { onElicitation } of calls) {
        const answer = onElicitation(params, signal);
        if (answer) return answer;
      }
      if (calls.size > 0) throw askedTooOften("The server");
      const message = "The server may ask the user only while one of its tools is called.";
      throw new ToolrailError("needs-input", message);
    },
    /** Runs a request during which the server may ask. */
    async during<T>({ onElicitation }: PortOptions, request: () => Promise<T>): Promise<T> {
      if (!onElicitation) return request();
      const call = { port, onElicitation };
      calls.add(call);
      try {
        return await request();
      } finally {
        calls.delete(call);
      }
    },
  };
}
