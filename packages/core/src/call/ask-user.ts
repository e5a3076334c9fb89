import { ToolrailError, toToolrailError } from "../errors.ts";
import type { InputResponse } from "../result/input-request.ts";
import type { PortOptions, ToolCallRequest } from "../types/port.ts";
import type { ReceivedInput, ToolCall } from "../types/tool-call.ts";
import { MAX_ASKED, readAnswer, readAsked, readInputRequired } from "./check-input.ts";
import type { HostParts } from "./host-parts.ts";
import { untilAborted } from "./until-aborted.ts";

/** The pause if a server only wants to be asked again. */
const AGAIN_MS = 250;

/** Asks the user what the server of one call wants to know. Returns `undefined` if the call has asked too often. */
export type AskUser = (asked: ReceivedInput) => Promise<InputResponse> | undefined;

/**
 * Lets one call ask the user: ten times at most, wrong answers included, and one request after another. Without
 * `onInputRequest`, each request is rejected with `needs-input`.
 */
export function createAskUser({ onInputRequest, ...parts }: HostParts): AskUser {
  let count = 0;
  let last: Promise<unknown> = Promise.resolve();
  const ask = async (asked: ReceivedInput): Promise<InputResponse> => {
    if (!onInputRequest) throw new ToolrailError("needs-input", NOBODY);
    let again: Pick<ReceivedInput, "problem"> = {};
    for (;;) {
      const answer = await untilAborted(onInputRequest({ ...asked, ...again }), asked.signal);
      const read = readAnswer(parts, { request: asked, answer });
      if (typeof read !== "string") return read;
      if (count >= MAX_ASKED) throw neverValid(asked.server, read);
      count++;
      again = { problem: read };
    }
  };
  return (asked) => {
    if (count >= MAX_ASKED) return undefined;
    count++;
    const answered = last.then(() => ask(asked));
    last = answered.catch(() => {});
    return answered;
  };
}

const NOBODY =
  "The server asks the user something before it continues, and this host has no `onInputRequest` that could answer: pass one to createHost().";

/** Sends a call again with the answers of the user, as often as its server asks (MCP 2026-07-28). */
export async function sendAnswers(
  raw: unknown,
  {
    call: { tool, ...call },
    ask,
    send,
  }: {
    readonly call: ToolCall;
    readonly ask: AskUser;
    send(more: Pick<ToolCallRequest, "inputResponses" | "requestState">): Promise<unknown>;
  },
): Promise<unknown> {
  const { signal } = call;
  let latest = raw;
  for (let round = 0; ; round++) {
    const asked = readInputRequired(latest, tool.id);
    if (!asked) return latest;
    if (round >= MAX_ASKED) throw askedTooOften(tool.id);
    const { requests, requestState } = asked;
    const inputResponses: Record<string, InputResponse> = {};
    for (const [key, form] of Object.entries(requests)) {
      const about = { ...form, server: tool.server, call: { ...call, tool }, signal };
      const answer = ask(about);
      if (!answer) throw askedTooOften(tool.id);
      inputResponses[key] = await answer;
    }
    const isAsked = Object.keys(requests).length > 0;
    if (!isAsked) await untilAborted(new Promise((done) => setTimeout(done, AGAIN_MS)), signal);
    latest = await send({ ...(isAsked && { inputResponses }), requestState });
  }
}

/** Answers the `elicitation/create` that a server sends during a call, as revisions before 2026-07-28 do. */
export function answerElicitation(
  ask: AskUser,
  { tool: { server }, signal: callSignal }: ToolCall,
): NonNullable<PortOptions["onElicitation"]> {
  return (params, signal) => {
    const request = readAsked(params, `Server "${server}"`);
    const signals = [signal, callSignal].filter((one) => one !== undefined);
    const answer = ask({ ...request, server, signal: AbortSignal.any(signals) });
    return answer?.catch((cause) => {
      throw toToolrailError(cause, `The input request of server "${server}" has no answer`);
    });
  };
}

function neverValid(server: string, problem: string): ToolrailError {
  const message = `Server "${server}" asks the user something, but \`onInputRequest\` never returned a valid answer: ${problem}.`;
  return new ToolrailError("callback-failed", message);
}

export function askedTooOften(what: string): ToolrailError {
  const message = `${what} asks the user more than ${MAX_ASKED} times in one call. Fix the server.`;
  return new ToolrailError("malformed-result", message);
}
