import { type ErrorRecord, ToolrailError, type ToolrailErrorCode } from "../errors.ts";
import { canonicalJson, isJsonObject, sha256, weigh } from "../json/json.ts";
import type { Hop } from "../result/hop.ts";
import { notCalled, type Owner, ownerOf, readQuestion, refuseOthers } from "./approval.ts";
import type { CallOptions, ToolCall } from "./call-options.ts";
import type { HostParts } from "./host-parts.ts";
import { askInTime, toConversationKey } from "./store.ts";
import type { Tool } from "./tool.ts";
import { untilAborted, withOwnSignal } from "./until-aborted.ts";

/** The key in the `_meta` of a call that is made once. A server that has seen it need not act again. */
export const KEY_META = "toolrail/idempotencyKey";

/** A call that is made once under an id: that of a question, or one of the caller. */
export interface OnceCall {
  readonly id: string;
  /** The id with the tool and its arguments, as a hash. The server gets it as the idempotency key. */
  readonly hash: string;
  /** True if the id may be used for no call with other arguments. An approval has been compared already. */
  readonly isExact: boolean;
  readonly ttlMs: number;
  readonly owner: Owner;
}

/**
 * What has become of a call, as the store has it. A row is claimed before the call is sent, so a call without a row was never
 * sent. Without an answer, its outcome is unknown after `untilMs`. A row lives as long as the approval is valid. A short answer
 * stands in its row, a long one beside it.
 */
type Row = Owner & { readonly hash?: string } & (
    | { readonly state: "sent"; readonly untilMs: number }
    | ({ readonly state: "made" } & Partial<StoredAnswer>)
    | { readonly state: "denied" }
  );

/** The result of a call that is made once, or the error that its server answered with. A second use gets the same. */
export type OnceAnswer = Pick<
  Hop,
  "callId" | "arguments" | "written" | "changedFrom" | "result" | "startedAtMs" | "durationMs"
>;
interface StoredAnswer {
  readonly answer?: OnceAnswer;
  readonly error?: ErrorRecord;
}

/** The most bytes of an answer in its row, which a full memory never drops. */
const MAX_ROW_BYTES = 1_024;

/** The most by which the clocks of two workers may differ, or a call may end late. */
const MARGIN_MS = 10_000;

/** How long a second use waits for the answer of a call that another worker is making, and how often it looks. */
const MAX_WAIT_MS = 2_000;
const AGAIN_MS = 100;

/** Returns the id under which a call with a key is made once. */
export const keyId = (key: string): string => `key:${key}`;

/** Hashes an id with the tool and the arguments of its call. */
export function toCallKey(
  id: string,
  { tool, arguments: args }: Pick<ToolCall, "tool" | "arguments">,
): string {
  return sha256(canonicalJson([id, tool.id, args]));
}

/** Returns how a call is made once: by the approval that it uses up, or by its key. */
export function toOnce(
  host: HostParts,
  call: ToolCall,
  by: {
    readonly key: string | undefined;
    readonly approval: { readonly id: string; readonly expiresAtMs: number } | undefined;
  },
): OnceCall {
  const { key = "", approval } = by;
  const id = approval?.id ?? keyId(key);
  const ttlMs = approval ? approval.expiresAtMs - host.now() : host.limits.approvalTtlMs;
  return {
    id,
    hash: toCallKey(id, call),
    isExact: approval === undefined,
    ttlMs: Math.max(ttlMs, 0) + MARGIN_MS,
    owner: ownerOf(call),
  };
}

/**
 * Claims a call for this worker, before it is sent, and returns `undefined`. If it was made before, it returns its answer. Throws
 * its error if it had one, `denied` if a person has denied it, `claimed-elsewhere` while it is being made, and `outcome-unknown`
 * if nobody has its answer.
 */
export async function claimCall(
  host: HostParts,
  call: ToolCall,
  once: OnceCall,
): Promise<OnceAnswer | undefined> {
  const { id, hash, owner, ttlMs } = once;
  const { callTimeoutMs, runTimeoutMs } = host.limits;
  // A person who is asked in the middle of a call takes as long as the run has.
  const longestMs = host.onInputRequest ? runTimeoutMs : callTimeoutMs;
  const untilMs = host.now() + longestMs + MARGIN_MS;
  const row: Row = { state: "sent", untilMs, hash, ...owner };
  const claim = async (signal: AbortSignal) => {
    const isOurs = (await host.store.claim(rowKey(id), row, ttlMs)) === true;
    // The call was given up in the meantime, so nothing is sent.
    if (isOurs && signal.aborted) await host.store.delete(rowKey(id));
    return isOurs;
  };
  if (await askInTime(claim, call.signal)) return undefined;
  return findMade(host, call, { once, row: await readEnded(host, call, once) });
}

/** Reads what has become of a call. If another worker is making it, it waits a little for its end. */
async function readEnded(host: HostParts, { signal }: ToolCall, { id }: OnceCall) {
  for (let waitedMs = 0; ; waitedMs += AGAIN_MS) {
    const row = await readRow(host, id, signal);
    const isUnderWay = row?.state === "sent" && row.untilMs > host.now();
    if (!isUnderWay || waitedMs >= MAX_WAIT_MS) return row;
    await untilAborted(new Promise((done) => setTimeout(done, AGAIN_MS)), signal);
  }
}

async function findMade(
  host: HostParts,
  call: ToolCall,
  { once, row }: { readonly once: OnceCall; readonly row: Row | undefined },
): Promise<OnceAnswer> {
  if (row === undefined) throw claimedElsewhere(call.tool);
  refuseOthers(call.tool, { owner: once.owner, was: row });
  if (row.state === "denied") throw deniedBefore(call.tool);
  if (once.isExact && row.hash !== once.hash) throw otherCall(call.tool);
  if (row.state === "sent")
    throw row.untilMs > host.now() ? claimedElsewhere(call.tool) : outcomeUnknown(call.tool, LOST);
  const { answer, error } = row.answer || row.error ? row : await readAnswer(host, call, once.id);
  if (answer) return answer;
  if (error) throw new ToolrailError(error.code, error.message, { data: error.data });
  throw outcomeUnknown(call.tool, FORGOTTEN);
}

async function readAnswer(host: HostParts, call: ToolCall, id: string): Promise<StoredAnswer> {
  return Object(await askInTime(() => host.store.get(answerKey(call, id)), call.signal));
}

/** Runs a call that is made once after those of this host with the same id, which then have its answer. */
export async function inTurn<T>(
  { underWay, now }: Pick<HostParts, "underWay" | "now">,
  { call, id, endMs }: { readonly call: ToolCall; readonly id: string; readonly endMs: number },
  work: () => Promise<T>,
): Promise<T> {
  for (let other = underWay.get(id); other !== undefined; other = underWay.get(id)) {
    const bounds = { signal: call.signal, timeoutMs: endMs - now() };
    await withOwnSignal(bounds, () => other).catch((why) => {
      throw ToolrailError.isInstance(why, "timeout") ? claimedElsewhere(call.tool) : why;
    });
  }
  const result = work();
  const over = result.then(ignore, ignore);
  underWay.set(id, over);
  try {
    return await result;
  } finally {
    underWay.delete(id);
  }
}

const ignore = () => {};

/** Keeps the answer of a claimed call. Without room for it, only that the call was made is kept. */
export async function keepAnswer(
  host: HostParts,
  call: ToolCall,
  { once, ...stored }: { readonly once: OnceCall } & StoredAnswer,
): Promise<void> {
  const { id, hash, owner, ttlMs } = once;
  const isShort = typeof weigh(stored, { maxBytes: MAX_ROW_BYTES, maxDepth: 64 }) === "number";
  const made: Row = { state: "made", hash, ...owner, ...(isShort && stored) };
  // The call was made: whoever waits for its answer gets it, even if the store fails now.
  if (!isShort) await ignoreFailure(() => host.store.set(answerKey(call, id), stored, ttlMs));
  await ignoreFailure(() => host.store.set(rowKey(id), made, ttlMs));
}

/** Notes how a claimed call ended without a result. It is free again only if it certainly was not sent. */
export async function keepFailure(
  host: HostParts,
  call: ToolCall,
  { once, error }: { readonly once: OnceCall; readonly error: ToolrailError },
): Promise<void> {
  const { id, hash, owner, ttlMs } = once;
  if (ANSWERED.includes(error.code)) await keepAnswer(host, call, { once, error: error.toJSON() });
  else if (NOT_SENT.includes(error.code)) await freeCall(host, once);
  else {
    const lost: Row = { state: "sent", untilMs: 0, hash, ...owner };
    await ignoreFailure(() => host.store.set(rowKey(id), lost, ttlMs));
  }
}

/** Frees a claimed call that was not sent. */
export function freeCall(host: HostParts, { id }: OnceCall): Promise<void> {
  return ignoreFailure(() => host.store.delete(rowKey(id)));
}

/** The errors with which a server has answered. After all others but `NOT_SENT`, nobody knows what the call did. */
const ANSWERED: readonly ToolrailErrorCode[] = ["protocol", "malformed-result", "needs-input"];
const NOT_SENT: readonly ToolrailErrorCode[] = ["server-unavailable", "needs-sign-in"];

/** Records that a person has denied the question with this id. Returns false if the call was made, or is being made. */
export async function denyQuestion(
  host: HostParts,
  { id, ttlMs, owner }: Pick<OnceCall, "id" | "ttlMs" | "owner">,
): Promise<boolean> {
  const row: Row = { state: "denied", ...owner };
  if ((await askInTime(() => host.store.claim(rowKey(id), row, ttlMs))) === true) return true;
  return (await readRow(host, id))?.state === "denied";
}

/**
 * Records that a person has denied a question, so that no approval of it counts any more. Returns false if the call was made, or
 * is being made. Rejects with `denied` if another user denies it. Without a `context` nobody is compared.
 */
export async function recordDenial(
  host: HostParts,
  approval: string,
  by: Pick<CallOptions, "conversation" | "context"> & { readonly tool: { readonly id: string } },
): Promise<boolean> {
  const { id, expiresAtMs, user, conversation } = readQuestion(host, by.tool, approval);
  const was = { user, conversation };
  if (by.context !== undefined) refuseOthers(by.tool, { owner: ownerOf(by), was });
  const ttlMs = Math.max(expiresAtMs - host.now(), 0) + MARGIN_MS;
  return denyQuestion(host, { id, ttlMs, owner: was });
}

async function readRow(
  host: HostParts,
  id: string,
  signal?: AbortSignal,
): Promise<Row | undefined> {
  const row = await askInTime(() => host.store.get(rowKey(id)), signal);
  return isJsonObject(row) ? (row as unknown as Row) : undefined;
}

const rowKey = (id: string) => `once:${id}`;

/** Answers count for their conversation, whose oldest values a full memory drops. Rows are never dropped. */
function answerKey({ conversation }: Pick<ToolCall, "conversation">, id: string): string {
  return toConversationKey(conversation, `answer:${id}`);
}

async function ignoreFailure(work: () => unknown): Promise<void> {
  await askInTime(work).catch(() => {});
}

function deniedBefore(tool: Tool): ToolrailError {
  return notCalled(tool, "a person has denied it already");
}

function otherCall({ id }: Tool): ToolrailError {
  const message = `${id} was not called: its key was used for another call before.`;
  return new ToolrailError("denied", message);
}

function claimedElsewhere({ id }: Tool): ToolrailError {
  const message = `${id} is being called already, for the same run or on the same approval, and has no answer yet. It was not called a second time: continue the run later.`;
  return new ToolrailError("claimed-elsewhere", message);
}

const LOST = "and no answer was stored: the call may or may not have taken effect";
const FORGOTTEN = "and its result is no longer kept";

function outcomeUnknown({ id }: Tool, why: string): ToolrailError {
  const message = `${id} was called before, ${why}. It was not called again. Find out what happened before you ask for a new call.`;
  return new ToolrailError("outcome-unknown", message);
}
