import type { JsonObject } from "@toolrail/json";
import { plainText } from "@toolrail/json";
import { ToolrailError } from "../errors.ts";
import type { Approval, CallOptions, Reply } from "../types/call-options.ts";
import type { Progress } from "../types/port.ts";
import type { ToolCall } from "../types/tool-call.ts";
import { isSessionForgotten, toCallError } from "./call-error.ts";
import { KEY_META } from "./call-key.ts";
import { definitionHash } from "./definition.ts";
import { askForRequest } from "./hooks.ts";
import type { HostParts } from "./passage.ts";
import { untilAborted } from "./until-aborted.ts";

/** The options of a call, its idempotency key, the answers it goes out with, and who is told when it does. */
interface Sending {
  readonly options: CallOptions;
  readonly idempotencyKey: string | undefined;
  readonly reply: Reply | undefined;
  readonly approval: Approval | undefined;
  readonly onSend: (() => void) | undefined;
}

/** Sends `tools/call`, and answers its server's questions. The answer is unchecked. */
export async function requestCall(
  parts: HostParts,
  call: ToolCall,
  { options, idempotencyKey, reply, approval, onSend }: Sending,
): Promise<unknown> {
  const { signal, arguments: args } = call;
  const { server, name, id, inputSchema } = call.tool;
  const { hooks } = parts;
  const about = () => ({ method: "tools/call", server, ...call }) as const;
  const given =
    hooks.requestMeta &&
    (await askForRequest(hooks, { name: "requestMeta", request: about(), signal }));
  const headers =
    hooks.requestHeaders &&
    (await askForRequest(hooks, { name: "requestHeaders", request: about(), signal }));
  const meta = idempotencyKey === undefined ? given : { [KEY_META]: idempotencyKey, ...given };
  const most = options.timeoutMs ?? Number.POSITIVE_INFINITY;
  if (most <= 0) throw new ToolrailError("timeout", `There was no time left to call ${id}.`);
  const bounds = {
    signal,
    timeoutMs: Math.min(parts.limits.callTimeoutMs, most),
    totalTimeoutMs: Math.min(parts.limits.callTotalTimeoutMs, most),
    onProgress: options.onProgress && toPlain(options.onProgress),
    inputSchema,
    headers,
    context: call.context,
    conversation: call.conversation,
  };
  let page: JsonObject | undefined;
  const send = async (more?: Reply["more"], isAgain = false): Promise<unknown> => {
    try {
      signal?.throwIfAborted(); // A call beside this one may just have aborted both.
      const port = parts.port(server);
      onSend?.();
      return await untilAborted(
        port.call({ name, arguments: args, meta, ...more }, bounds),
        signal,
      );
    } catch (cause) {
      // The server expects other `Mcp-Param-*` headers: the tool is no longer as it was listed.
      const isStale = (cause as { code?: unknown } | undefined)?.code === -32020;
      if (isStale) await parts.refresh(server).catch(() => {});
      // Nothing was executed. Its list is read over a new session first, since the tool may have changed.
      const { cause: inner } = Object(cause) as { readonly cause?: unknown };
      if (!isAgain && ToolrailError.isInstance(cause) && isSessionForgotten(inner)) {
        await untilAborted(parts.refresh(server), signal);
        if (await isSame(parts, call)) return send(more, true);
      }
      page = (await import("./page-requests.ts")).toPageRequest(cause, { server, signal });
      if (page) return page;
      throw toCallError(cause, { what: `The call of ${id}`, server, signal });
    }
  };
  const raw = await send(reply?.more);
  if (changesThread(raw, meta)) parts.announce();
  const isInterim = (raw as { resultType?: unknown } | undefined)?.resultType === "input_required";
  if (!isInterim || !(raw === page || parts.port(server).mayAsk?.())) return raw;
  const { binding: approved, lostAttempts } = approval ?? {};
  const { key } = options;
  const { sendAnswers } = await import("./ask-user.ts");
  return sendAnswers(parts, call, {
    raw,
    reply: reply ?? { more: {}, round: 0, approved, lostAttempts, key },
    send,
  });
}

/**
 * True if a result says that the tools of this very conversation have changed, as banks do after a customer has signed in.
 * The keys are those of IBM's watsonx Orchestrate, and the request must have named the same thread.
 */
function changesThread(raw: unknown, sent: JsonObject | undefined): boolean {
  const { _meta: told } = Object(raw) as { readonly _meta?: unknown };
  const { refreshThreadCapabilities: thread } = Object(told) as JsonObject;
  const { thread_id: own } = Object(sent?.["com.ibm.orchestrate/systemcontext"]) as JsonObject;
  return typeof thread === "string" && thread === own;
}

/** True if a tool is still defined as it was when its call was checked. */
async function isSame(parts: HostParts, { tool }: ToolCall): Promise<boolean> {
  try {
    return (await definitionHash(parts.find(tool))) === (await definitionHash(tool));
  } catch {
    return false;
  }
}

const MAX_MESSAGE = 1_000;

/** Tells progress as a person may be shown it: the server's own words are plain and bounded. */
function toPlain(tell: NonNullable<CallOptions["onProgress"]>) {
  return ({ progress, total, message }: Progress) => {
    const text = typeof message === "string" && plainText(message.slice(0, MAX_MESSAGE));
    tell({ progress, ...(total !== undefined && { total }), ...(text && { message: text }) });
  };
}
