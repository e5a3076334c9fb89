import { ToolrailError, toToolrailError } from "../errors.ts";
import type { InputResponse } from "../result/input-request.ts";
import type { CallOptions, Reply } from "../types/call-options.ts";
import type { ReceivedInput } from "../types/tool-call.ts";
import { isOnce } from "./call-key.ts";
import {
  type AskedInput,
  readAnswer,
  readAnswers,
  readAsked,
  readInputRequired,
} from "./check-input.ts";
import { callHash } from "./definition.ts";
import type { HostParts, Passage, Sending } from "./passage.ts";
import { createPauses } from "./pauses.ts";
import { untilAborted } from "./until-aborted.ts";

/** An input request as the store keeps it. The state of the server stays in the store. */
interface KeptInputRequest extends AskedInput, Pick<CallOptions, "approved" | "lostAttempts"> {
  /** The call that waits: its run, tool, definition and arguments. */
  readonly runId: string;
  readonly call: string;
  /** The key of the call. Another worker that makes this call has another run. */
  readonly key: string | undefined;
  /** The number of rounds in which this call has asked and been answered. */
  readonly round: number;
}

/** The most rounds of input requests of one call, as in the SDKs, and the pause if a server only wants to be asked again. */
const MAX_ROUNDS = 10;
const AGAIN_MS = 250;

/** Sends a call again with the answers, as often as its server asks. Rejects with `needs-input` if a person has to answer first. */
export async function sendAnswers(
  { passage, call }: Sending,
  first: { readonly raw: unknown; send(more: Reply["more"]): Promise<unknown> },
): Promise<unknown> {
  const { host, reply } = passage;
  const { signal, tool } = call;
  let { raw } = first;
  for (let round = reply?.round ?? 0; ; round++) {
    const asked = readInputRequired(raw, tool.id);
    if (!asked) return raw;
    if (round >= MAX_ROUNDS) throw endless(tool.id);
    const forms = Object.entries(asked.requests);
    if (forms.length === 0) {
      await untilAborted(new Promise((done) => setTimeout(done, AGAIN_MS)), signal);
      raw = await first.send({ requestState: asked.requestState });
      continue;
    }
    if (!host.onInputRequest) throw await waitFor(passage, { ...asked, round });
    const inputResponses: Record<string, InputResponse> = {};
    for (const [key, form] of forms) {
      inputResponses[key] = await askHere(host, { ...form, server: tool.server, call, signal });
    }
    raw = await first.send({ inputResponses, requestState: asked.requestState });
  }
}

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
  { host, call, options, approval }: Passage,
  { problem, ...asked }: AskedInput & Pick<Reply, "round"> & { readonly problem?: string },
): Promise<ToolrailError> {
  const { binding: approved, lostAttempts } = approval ?? {};
  const about = { runId: call.runId, call: await callHash(call), key: options.key };
  const id = await pausesOf(host, call).keep({ ...asked, ...about, approved, lostAttempts });
  const why = problem === undefined ? "" : ` The answer was not sent: ${problem}.`;
  const message = `${call.tool.id} asks the user something before it continues.${why}`;
  const data = { id, requests: asked.requests, ...(problem !== undefined && { problem }) };
  return new ToolrailError("needs-input", message, { data });
}

/** Restores the approval that a call had before its server asked something: it still counts. */
export async function recallApproval(
  passage: Passage,
  { inputRequest }: NonNullable<CallOptions["answers"]>,
): Promise<void> {
  const { approved, lostAttempts } =
    (await pausesOf(passage.host, passage.call).find(inputRequest)) ?? {};
  passage.approved = { approved, lostAttempts };
}

/**
 * Takes the input request of this call, with the answers in the form of the server. Rejects with `unknown-input` if the call did
 * not ask it, and asks again if an answer does not fit. A call that the host makes once keeps its input request.
 */
export async function takeAnswers(
  passage: Passage,
  { inputRequest, input }: NonNullable<CallOptions["answers"]>,
): Promise<void> {
  const { host, call, approval } = passage;
  const { key } = passage.options;
  const { runId, tool } = call;
  const pauses = pausesOf(host, call);
  const kept = await pauses.find(inputRequest);
  const isAsked = kept && (kept.runId === runId || (kept.key ?? runId) === key);
  if (!isAsked || kept.call !== (await callHash(call))) throw unknown(tool.id);
  const { requests, requestState } = kept;
  const asked = { requests, requestState };
  const isKept = approval !== undefined || (key !== undefined && isOnce(host, tool, key));
  if (!isKept && !(await pauses.take(inputRequest))) throw unknown(tool.id);
  const responses = readAnswers(host, { requests, input });
  const round = kept.round + 1;
  if (round >= MAX_ROUNDS) throw endless(tool.id);
  if (typeof responses === "string") {
    throw await waitFor(passage, { ...asked, round, problem: responses });
  }
  passage.reply = { more: { inputResponses: responses, requestState }, round };
}

function pausesOf(
  { store, now, newId, limits: { pendingHopTtlMs } }: HostParts,
  { conversation }: Pick<CallOptions, "conversation">,
) {
  const kind = { kind: "input", conversation };
  return createPauses<KeptInputRequest>({ store, now, newId, pendingHopTtlMs }, kind);
}

function unknown(id: string): ToolrailError {
  const message = `${id} was not called again: this host no longer knows such an input request for this call. It was answered, has expired, or was asked in another process: give all hosts the same \`store\`.`;
  return new ToolrailError("unknown-input", message);
}

function endless(id: string): ToolrailError {
  const message = `The call of ${id} was given up: its server asked ${MAX_ROUNDS} times and never answered. Fix the server.`;
  return new ToolrailError("malformed-result", message);
}
