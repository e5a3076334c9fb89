import { type Host, ToolrailError } from "@toolrail/core";
import { engineOf } from "@toolrail/core/adapter";
import { pausedDefect, toToolrailError } from "@toolrail/core/internal";
import { askStore, toConversationKey } from "@toolrail/core/plugin";
import { isJsonObject, type JsonObject, measure } from "@toolrail/json";
import { FLOW, type Pipe } from "../pipe.ts";
import type {
  CompiledPipe,
  PausedPipe,
  PipeAnswers,
  PipeFlow,
  PipeResult,
  PipeRun,
  StepStage,
} from "../types.ts";

/** A pipe with the values that it was started with. */
export interface PipeStart {
  readonly pipe: CompiledPipe &
    Pick<Pipe, "author" | "follow" | "stepCount" | "origins" | typeof FLOW>;
  readonly vars: JsonObject;
  /** The time that the pipe has run, without the time that it waited. */
  readonly usedMs: number;
}

/** A run that waits for a person, as the host's store keeps it. Plain JSON. */
interface KeptPipe extends PipeStart, Pick<PipeRun, "pipeId" | "toolCallId" | "key" | "limits"> {
  readonly journal: readonly (readonly [string, StepStage])[];
  readonly expiresAtMs: number;
  /** True if the pipe was checked with an extension, which no store can keep. */
  readonly hasFlow: boolean;
}

/** The maximum bytes of a spec and of the arguments of waiting calls, in addition to the results. */
const OWN_BYTES = 1_048_576;

/** Stores a run that waits, for one caller to resume. Returns only `error` if it cannot be stored. */
export async function pausePipe(
  { host, conversation, pipeId, toolCallId, key, limits, journal = new Map() }: PipeRun,
  start: PipeStart,
): Promise<Pick<PipeResult, "error" | "paused">> {
  const { store, newId, now, pendingHopTtlMs } = engineOf(host);
  const expiresAtMs = now() + pendingHopTtlMs;
  const hasFlow = start.pipe[FLOW] !== undefined;
  const own = { pipeId, toolCallId, key, limits, expiresAtMs, hasFlow };
  const kept: KeptPipe = { ...start, ...own, journal: [...journal] };
  const maxBytes = 2 * limits.maxKeptBytes + OWN_BYTES;
  if (measure(kept, { maxBytes, maxDepth: 250 })) return { error: NO_ROOM };
  const id = newId();
  const storeKey = keyOf(id, conversation);
  try {
    await store.set(storeKey, JSON.parse(JSON.stringify(kept)), pendingHopTtlMs);
    if ((await store.get(storeKey)) === undefined) return { error: NO_ROOM };
  } catch (cause) {
    const { message } = toToolrailError(cause, "The store of the host failed");
    return { error: `The pipe cannot wait for a person. ${message}` };
  }
  const asks = asksOf(journal);
  const places = asks.map(({ path }) => path).join(", ");
  return { error: `The pipe waits for a person at ${places}.`, paused: { id, asks } };
}

interface Resuming {
  readonly id: string;
  readonly conversation?: string | undefined;
  readonly answers: PipeAnswers;
  readonly flow?: PipeFlow | undefined;
}

/** Finds the calls that a waiting run waits for. */
export async function findAsks(
  host: Host,
  { id, conversation }: Pick<Resuming, "id" | "conversation">,
): Promise<PausedPipe["asks"]> {
  return asksOf((await findPipe(host, { id, conversation }))?.journal ?? []);
}

async function findPipe(
  host: Host,
  { id, conversation }: Pick<Resuming, "id" | "conversation">,
): Promise<KeptPipe | undefined> {
  const { store, now } = engineOf(host);
  const found = await askStore(() => store.get(keyOf(id, conversation)));
  const isKept = isJsonObject(found) && Array.isArray(found.journal);
  const kept = isKept ? (found as unknown as KeptPipe) : undefined;
  return kept && kept.expiresAtMs > now() ? kept : undefined;
}

/** Takes a waiting run out of the store. Rejects if it is not there, or if the answers do not match it. */
export async function takePipe(
  host: Host,
  { id, conversation, answers, flow }: Resuming,
): Promise<KeptPipe> {
  const kept = await findPipe(host, { id, conversation });
  if (!kept) throw new ToolrailError("unknown-hop", GONE);
  if (kept.hasFlow && !flow) throw new ToolrailError("invalid-options", GIVE_FLOW);
  const waiting = waitingChains(kept.journal);
  for (const [path, decision] of Object.entries(answers)) {
    const chain = waiting.find((one) => one.path === path)?.chain;
    const defect = chain ? pausedDefect(chain, decision) : "No step waits there.";
    if (defect) throw new ToolrailError("invalid-options", `The answer to ${path}: ${defect}`);
  }
  const { store } = engineOf(host);
  if (await askStore(() => store.delete(keyOf(id, conversation)))) {
    return { ...kept, pipe: { ...kept.pipe, [FLOW]: kept.hasFlow ? flow : undefined } };
  }
  throw new ToolrailError("unknown-hop", GONE);
}

function waitingChains(journal: Iterable<readonly [string, StepStage]>) {
  return [...journal].flatMap(([path, stage]) => {
    return stage.type === "waiting" ? [{ path, chain: stage.chain }] : [];
  });
}

function asksOf(journal: Iterable<readonly [string, StepStage]>): PausedPipe["asks"] {
  return waitingChains(journal).flatMap(({ path, chain: { pending } }) =>
    pending ? [{ path, pending }] : [],
  );
}

const keyOf = (id: string, conversation: string | undefined) =>
  toConversationKey(conversation, `pipe:${id}`);

const NO_ROOM =
  "The pipe cannot wait for a person: its results so far are too large to keep. Let it return less.";
const GIVE_FLOW = "This pipe was run with flow(): give resumePipe `flow: flow()` too.";
const GONE =
  "No pipe waits under this id. Another run has continued it, it has expired, or it was kept in another process or " +
  "conversation: give all hosts the same `store`, and `resumePipe` the same `conversation`.";
