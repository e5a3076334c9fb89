import { askedTooOften } from "../call/input-requests.ts";
import type { PortOptions, RequestHeaders } from "../call/port.ts";
import { invalidOptions, ToolrailError } from "../errors.ts";

/** A schema that accepts any result, since the host checks it. It has the forms of zod 3 (SDK v1, `@ai-sdk/mcp`) and of Standard Schema. */
export const ANY = {
  parse: (value: unknown) => value,
  safeParse: (value: unknown) => ({ success: true, data: value }),
  safeParseAsync: async (value: unknown) => ({ success: true, data: value }),
  "~standard": { version: 1, vendor: "toolrail", validate: (value: unknown) => ({ value }) },
};

/** The headers that the HTTP transport of SDK v2 (2.4.0) sets itself. It drops those of a request silently. */
const KEPT = /^(authorization|dpop|content-type|mcp-(protocol-version|method|name|session-id))$/i;

/** Throws for headers that a client would not send. A request must not go out without them. */
export function refuseLostHeaders(
  headers: RequestHeaders,
  { takesHeaders }: { readonly takesHeaders: boolean },
): void {
  const lost = Object.keys(headers).find((name) => !takesHeaders || KEPT.test(name));
  if (lost === undefined) return;
  const why = takesHeaders
    ? `SDK v2 sets the header "${lost}" itself`
    : "only SDK v2 (@modelcontextprotocol/client) supports headers for a single request";
  throw invalidOptions(
    `\`requestHeaders\`: nothing was sent, since ${why}. Give the transport an authProvider, or a fetch that adds it.`,
  );
}

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
