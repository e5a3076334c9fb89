import { ToolrailError } from "../errors.ts";
import { copyJson } from "../json/json.ts";
import { plainText } from "../json/plain-text.ts";
import { definitionHash } from "./approval.ts";
import { SessionLost, toCallError } from "./call-error.ts";
import type { CallOptions, ToolCall } from "./call-options.ts";
import { notify } from "./events.ts";
import type { HostParts } from "./host-parts.ts";
import type { InputRequests } from "./input-requests.ts";
import { KEY_META } from "./once.ts";
import { askForRequest } from "./plugin.ts";
import { asksForInput, type PortOptions, type Progress, type ToolCallRequest } from "./port.ts";
import { untilAborted } from "./until-aborted.ts";

interface Sending {
  readonly call: ToolCall;
  /** When its time is up, in milliseconds since the epoch. */
  readonly endMs: number;
  readonly options: Pick<CallOptions, "onProgress">;
  readonly idempotencyKey: string | undefined;
  /** Returns what the server has asked the user during this call. */
  readonly inputs: () => InputRequests;
  /** Runs right before a request goes out. */
  onSend(): void;
}

/** Sends `tools/call`, and answers its server's input requests. The answer is not checked. */
export async function sendRequest(
  host: HostParts,
  { call, endMs, options, idempotencyKey, inputs, onSend }: Sending,
): Promise<unknown> {
  const { signal, arguments: args } = call;
  const { server, name, id } = call.tool;
  const request = { method: "tools/call", server, ...call } as const;
  const { meta: given, headers } = await askForRequest(host.hooks, request, signal);
  const meta = idempotencyKey === undefined ? given : { [KEY_META]: idempotencyKey, ...given };
  const { context, conversation } = call;
  const onProgress = options.onProgress && toPlain(host, options.onProgress);
  const onElicitation: PortOptions["onElicitation"] = (...given) => inputs().elicit(call, ...given);
  const bounds = { signal, headers, context, conversation, onProgress, onElicitation };
  const send = async (more?: Partial<ToolCallRequest>, isAgain = false): Promise<unknown> => {
    signal?.throwIfAborted(); // Another call may just have aborted both.
    const timeoutMs = Math.ceil(Math.min(host.limits.callTimeoutMs, endMs - host.now()));
    if (timeoutMs <= 0) throw new ToolrailError("timeout", `There was no time left to call ${id}.`);
    const link = host.servers.port(server);
    onSend();
    try {
      // A server in this process may change what it is given.
      const own = copyJson(args, false);
      return await link.call({ name, arguments: own, meta, ...more }, { ...bounds, timeoutMs });
    } catch (cause) {
      const isLost = !isAgain && cause instanceof SessionLost;
      if (isLost && (await isStillThere(host, call))) return send(more, true);
      throw toCallError(cause, { what: `The call of ${id}`, server, signal });
    }
  };
  const answer = await send();
  return asksForInput(answer) ? inputs().answerAll(answer, call, send) : answer;
}

/** Opens a new session, and reads the list over it, since the tool may have changed. */
async function isStillThere({ servers }: HostParts, { tool, signal }: ToolCall): Promise<boolean> {
  const found = await untilAborted(servers.findForCall(tool), signal).catch(() => undefined);
  return found !== undefined && definitionHash(found) === definitionHash(tool);
}

const MAX_MESSAGE = 1_000;

/** Turns progress into what a person may be shown: the server's text becomes plain and short. */
function toPlain(host: HostParts, onProgress: NonNullable<CallOptions["onProgress"]>) {
  return ({ progress, total, message }: Progress) => {
    const text = typeof message === "string" && plainText(message.slice(0, MAX_MESSAGE));
    const event = {
      progress,
      ...(total !== undefined && { total }),
      ...(text && { message: text }),
    };
    void notify({ onProgress }, event, host.voice);
  };
}
