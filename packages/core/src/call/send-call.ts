import type { JsonObject } from "@toolrail/json";
import { plainText } from "@toolrail/json";
import { ToolrailError } from "../errors.ts";
import type { CallOptions, Reply } from "../types/call-options.ts";
import type { Progress } from "../types/port.ts";
import type { ToolCall } from "../types/tool-call.ts";
import { sendAnswers } from "./ask-user.ts";
import { isSessionForgotten, toCallError } from "./call-error.ts";
import { KEY_META } from "./call-key.ts";
import { definitionHash } from "./definition.ts";
import { askForRequest } from "./hooks.ts";
import type { HostParts, Sending } from "./passage.ts";
import { untilAborted } from "./until-aborted.ts";

/** Sends `tools/call`, and answers its server's input requests. The answer is not checked. */
export async function sendRequest(sending: Sending): Promise<unknown> {
  const { passage, call, onSend } = sending;
  const { host: parts, options, idempotencyKey, reply } = passage;
  const { signal, arguments: args } = call;
  const { server, name, id } = call.tool;
  const { hooks } = parts;
  const about = () => ({ method: "tools/call", server, ...call }) as const;
  const given =
    hooks.requestMeta &&
    (await askForRequest(hooks, { name: "requestMeta", request: about(), signal }));
  const headers =
    hooks.requestHeaders &&
    (await askForRequest(hooks, { name: "requestHeaders", request: about(), signal }));
  const meta = idempotencyKey === undefined ? given : { [KEY_META]: idempotencyKey, ...given };
  const maxMs = options.timeoutMs ?? Number.POSITIVE_INFINITY;
  if (maxMs <= 0) throw new ToolrailError("timeout", `There was no time left to call ${id}.`);
  const bounds = {
    signal,
    timeoutMs: Math.min(parts.limits.callTimeoutMs, maxMs),
    totalTimeoutMs: Math.min(parts.limits.callTotalTimeoutMs, maxMs),
    onProgress: options.onProgress && toPlain(options.onProgress),
    headers,
    context: call.context,
    conversation: call.conversation,
  };
  const send = async (more?: Reply["more"], isAgain = false): Promise<unknown> => {
    try {
      signal?.throwIfAborted(); // Another call may just have aborted both.
      const port = parts.port(server);
      onSend?.();
      return await untilAborted(
        port.call({ name, arguments: args, meta, ...more }, bounds),
        signal,
      );
    } catch (cause) {
      // Nothing was executed. The list is read over a new session first, since the tool may have changed.
      const { cause: inner } = Object(cause) as { readonly cause?: unknown };
      if (!isAgain && ToolrailError.isInstance(cause) && isSessionForgotten(inner)) {
        await untilAborted(parts.refresh(server), signal);
        if (await isSame(parts, call)) return send(more, true);
      }
      throw toCallError(cause, { what: `The call of ${id}`, server, signal });
    }
  };
  const raw = await send(reply?.more);
  if (changesThread(raw, meta)) parts.announce();
  const isInterim = (raw as { resultType?: unknown } | undefined)?.resultType === "input_required";
  if (!isInterim || !parts.port(server).mayAsk?.()) return raw;
  return sendAnswers(sending, { raw, send });
}

/**
 * True if the tools of this very conversation have changed, as those of banks do after a customer has signed in. The keys are those
 * of IBM's watsonx Orchestrate, and the request must have named the same thread.
 */
function changesThread(raw: unknown, sent: JsonObject | undefined): boolean {
  const { _meta: meta } = Object(raw) as { readonly _meta?: unknown };
  const { refreshThreadCapabilities: thread } = Object(meta) as JsonObject;
  const { thread_id: sentThread } = Object(
    sent?.["com.ibm.orchestrate/systemcontext"],
  ) as JsonObject;
  return typeof thread === "string" && thread === sentThread;
}

/** True if the definition of a tool has not changed since its call was checked. */
async function isSame(parts: HostParts, { tool }: ToolCall): Promise<boolean> {
  try {
    return (await definitionHash(parts.find(tool))) === (await definitionHash(tool));
  } catch {
    return false;
  }
}

const MAX_MESSAGE = 1_000;

/** Turns progress into what a person may be shown: the server's text becomes plain and short. */
function toPlain(listener: NonNullable<CallOptions["onProgress"]>) {
  return ({ progress, total, message }: Progress) => {
    const text = typeof message === "string" && plainText(message.slice(0, MAX_MESSAGE));
    listener({ progress, ...(total !== undefined && { total }), ...(text && { message: text }) });
  };
}
