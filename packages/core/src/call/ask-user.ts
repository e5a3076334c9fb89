import { isJsonObject } from "@toolrail/json";
import { ToolrailError, toToolrailError } from "../errors.ts";
import type { InputResponse } from "../result/input-request.ts";
import type { Approval, CallOptions, Reply } from "../types/call-options.ts";
import type { ReceivedInput, ToolCall } from "../types/tool-call.ts";
import { isOnce } from "./call-key.ts";
import {
  type AskedInput,
  readAnswer,
  readAnswers,
  readAsked,
  readInputRequired,
} from "./check-input.ts";
import { callHash } from "./definition.ts";
import { toConversationKey } from "./memory-store.ts";
import type { HostParts } from "./passage.ts";
import { askStore } from "./store.ts";
import { untilAborted } from "./until-aborted.ts";

/** An input request as the store keeps it. The state of the server stays in the store. */
interface KeptInputRequest extends AskedInput {
  /** The call that waits: its run, tool, definition and arguments. */
  readonly runId: string;
  readonly call: string;
  /** The key of the call. Another worker that makes this call has another run. */
  readonly key: string | undefined;
  /** The number of rounds in which this call has asked and been answered. */
  readonly round: number;
  /** The binding of the approval with which the call was first made, if a person gave one. */
  readonly approved?: string | undefined;
  readonly lostAttempts?: number | undefined;
  readonly untilMs: number;
}

type Answers = NonNullable<CallOptions["answers"]>;

/** The most rounds of input requests of one call, as in the SDKs, and the pause if a server only wants to be asked again. */
const MAX_ROUNDS = 10;
const AGAIN_MS = 250;

/** Sends a call again with the answers, as often as its server asks. Rejects with `needs-input` if a person has to answer first. */
export async function sendAnswers(
  parts: HostParts,
  call: ToolCall,
  first: { readonly raw: unknown; readonly reply: Reply; readonly send: Send },
): Promise<unknown> {
  const { signal, tool } = call;
  const { more: _, round: __, ...settings } = first.reply;
  let { raw } = first;
  for (let { round } = first.reply; ; round++) {
    const asked = readInputRequired(raw, tool.id);
    if (!asked) return raw;
    if (round >= MAX_ROUNDS) throw endless(tool.id);
    const forms = Object.entries(asked.requests);
    if (forms.length === 0) {
      await untilAborted(new Promise((done) => setTimeout(done, AGAIN_MS)), signal);
      raw = await first.send({ requestState: asked.requestState });
      continue;
    }
    if (!parts.onInputRequest) {
      throw await waitFor(parts, call, { ...asked, ...settings, round });
    }
    const inputResponses: Record<string, InputResponse> = {};
    for (const [key, form] of forms) {
      inputResponses[key] = await askHere(parts, { ...form, server: tool.server, call, signal });
    }
    raw = await first.send(toReply(asked, { responses: inputResponses, id: tool.id }));
  }
}

/** Builds what goes to the server with the answers. A call that is made again without answers ends if the user did not visit the page. */
function toReply(
  { requestState, again }: Omit<AskedInput, "requests">,
  { responses, id }: { readonly responses: Record<string, InputResponse>; readonly id: string },
): Reply["more"] {
  if (!again) return { inputResponses: responses, requestState };
  if (Object.values(responses).every(({ action }) => action === "accept")) return {};
  const message = `${id} was not called again: the user did not visit the page that it needs first.`;
  throw new ToolrailError("denied", message);
}

type Send = (more: Reply["more"]) => Promise<unknown>;

async function askHere(parts: HostParts, asked: ReceivedInput): Promise<InputResponse> {
  let again: Pick<ReceivedInput, "problem"> = {};
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const answer = await untilAborted(parts.onInputRequest?.({ ...asked, ...again }), asked.signal);
    const read = readAnswer(parts, { request: asked, answer });
    if (typeof read !== "string") return read;
    again = { problem: read };
  }
  const message = `Server "${asked.server}" asks the user something, but \`onInputRequest\` never returned a valid answer: ${again.problem}.`;
  throw new ToolrailError("callback-failed", message);
}

/** Answers `elicitation/create` of a server, as revisions before 2026-07-28 send it. Rejects if no one can answer. */
export async function answerElicitation(
  parts: HostParts,
  { server, params, signal }: { server: string; params: unknown; signal: AbortSignal | undefined },
): Promise<InputResponse> {
  const request = readAsked(params, `Server "${server}"`);
  if (!parts.onInputRequest) throw new ToolrailError("needs-input", NOBODY);
  try {
    return await askHere(parts, { ...request, server, signal });
  } catch (cause) {
    throw toToolrailError(cause, `The input request of server "${server}" has no answer`);
  }
}

const NOBODY =
  "The user cannot be asked in the middle of a call: this host was created without `onInputRequest`.";

/** Keeps an input request, and creates the error with which the call ends. */
async function waitFor(
  parts: HostParts,
  { runId, conversation, ...call }: ToolCall,
  {
    problem,
    ...asked
  }: Omit<KeptInputRequest, "runId" | "call" | "untilMs"> & { problem?: string },
): Promise<ToolrailError> {
  const ttlMs = parts.limits.pendingHopTtlMs;
  const id = parts.newId();
  const untilMs = parts.now() + ttlMs;
  const kept: KeptInputRequest = { ...asked, runId, call: await callHash(call), untilMs };
  await askStore(() => parts.store.set(keyOf(id, conversation), kept, ttlMs));
  const why = problem === undefined ? "" : ` The answer was not sent: ${problem}.`;
  const message = `${call.tool.id} asks the user something before it continues.${why}`;
  const data = { id, requests: asked.requests, ...(problem !== undefined && { problem }) };
  return new ToolrailError("needs-input", message, { data });
}

/** Returns the approval that a call had before it asked. The result is empty if there was none. */
export async function approvedBefore(
  parts: HostParts,
  { answers, conversation }: Pick<CallOptions, "answers" | "conversation">,
): Promise<Pick<CallOptions, "approved" | "lostAttempts">> {
  const kept = answers && (await find(parts, keyOf(answers.inputRequest, conversation)));
  return { approved: kept?.approved, lostAttempts: kept?.lostAttempts };
}

/**
 * Takes the input request of this call, with the answers in the form of the server. Rejects with `unknown-input` if the call did
 * not ask it, and asks again if an answer does not fit. A call that the host makes once keeps its input request.
 */
export async function takeAnswers(
  parts: HostParts,
  call: ToolCall,
  {
    answers,
    key,
    approval,
  }: {
    readonly answers: Answers;
    readonly key: string | undefined;
    readonly approval: Approval | undefined;
  },
): Promise<Reply> {
  const { runId, tool } = call;
  const storeKey = keyOf(answers.inputRequest, call.conversation);
  const kept = await find(parts, storeKey);
  const isAsked = kept && (kept.runId === runId || (kept.key ?? runId) === key);
  if (!isAsked || kept.call !== (await callHash(call))) throw unknown(tool.id);
  const { requests, requestState, again, round, approved, lostAttempts } = kept;
  const asked = { requests, requestState, ...(again && { again }) };
  const settings = { approved, lostAttempts, key };
  const isKept = approval !== undefined || (key !== undefined && isOnce(parts, tool, key));
  if (!isKept && !(await askStore(() => parts.store.delete(storeKey)))) {
    throw unknown(tool.id);
  }
  const responses = readAnswers(parts, { requests, input: answers.input });
  if (round + 1 >= MAX_ROUNDS) throw endless(tool.id);
  if (typeof responses === "string") {
    const next = { ...asked, round: round + 1, ...settings };
    throw await waitFor(parts, call, { ...next, problem: responses });
  }
  const more = toReply(asked, { responses, id: tool.id });
  return { more, round: round + 1, ...settings };
}

async function find({ store, now }: HostParts, key: string): Promise<KeptInputRequest | undefined> {
  const kept = await askStore(() => store.get(key));
  const isOpen = isJsonObject(kept) && Number(kept.untilMs) > now();
  return isOpen ? (kept as unknown as KeptInputRequest) : undefined;
}

function keyOf(id: string, conversation: string | undefined): string {
  return toConversationKey(conversation, `input:${id}`);
}

function unknown(id: string): ToolrailError {
  const message = `${id} was not called again: this host no longer knows such an input request for this call. It was answered, has expired, or was asked in another process: give all hosts the same \`store\`.`;
  return new ToolrailError("unknown-input", message);
}

function endless(id: string): ToolrailError {
  const message = `The call of ${id} was given up: its server asked ${MAX_ROUNDS} times and never answered. Fix the server.`;
  return new ToolrailError("malformed-result", message);
}
