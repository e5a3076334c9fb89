import { createPauses } from "../../call/pauses.ts";
import { pausedDefect } from "../../chain/resume-chain.ts";
import { ToolrailError } from "../../errors.ts";
import type { Host } from "../../host/host.ts";
import { engineOf } from "../../host/host-engine.ts";
import { type JsonObject, measure } from "../../json/json.ts";
import { messageOf } from "../../json/plain-text.ts";
import type { Pipe } from "../pipe.ts";
import type {
  CompiledPipe,
  PausedPipe,
  PipeAnswers,
  PipeResult,
  PipeRun,
  StepStage,
} from "../types.ts";

export interface PipeStart {
  readonly pipe: CompiledPipe & Pick<Pipe, "author" | "follow" | "stepCount">;
  readonly vars: JsonObject;
  /** The time that the pipe has run, without the time that it waited. */
  readonly usedMs: number;
}

/** A run that waits for a person, as the host's store keeps it. Plain JSON. */
interface KeptPipe extends PipeStart, Pick<PipeRun, "pipeId" | "toolCallId" | "key" | "limits"> {
  readonly journal: readonly (readonly [string, StepStage])[];
}

/** The maximum bytes of a spec and of the arguments of waiting calls, in addition to the results. */
const OWN_BYTES = 1_048_576;

/** Stores a run that waits, for one caller to resume. Returns only `error` if it cannot be stored. */
export async function pausePipe(
  { host, conversation, pipeId, toolCallId, key, limits, journal = new Map() }: PipeRun,
  start: PipeStart,
): Promise<Pick<PipeResult, "error" | "paused">> {
  const pauses = openPauses(host, conversation);
  const own = { pipeId, toolCallId, key, limits };
  const kept: KeptPipe = { ...start, ...own, journal: [...journal] };
  const maxBytes = 2 * limits.maxKeptBytes + OWN_BYTES;
  if (measure(kept, { maxBytes, maxDepth: 250 })) return { error: NO_ROOM };
  try {
    const id = await pauses.keep(JSON.parse(JSON.stringify(kept)));
    if (!(await pauses.find(id))) return { error: NO_ROOM };
    const asks = listAsks(journal);
    const places = asks.map(({ path }) => path).join(", ");
    return { error: `The pipe waits for a person at ${places}.`, paused: { id, asks } };
  } catch (cause) {
    return { error: `The pipe cannot wait for a person. ${messageOf(cause)}` };
  }
}

interface Resuming {
  readonly id: string;
  readonly conversation?: string | undefined;
  readonly answers: PipeAnswers;
}

/** Takes a waiting run out of the store. Rejects if it is not there, or if the answers do not match it. */
export async function takePipe(
  host: Host,
  { id, conversation, answers }: Resuming,
): Promise<KeptPipe> {
  const pauses = openPauses(host, conversation);
  const kept = await pauses.find(id);
  if (!kept) throw new ToolrailError("unknown-hop", GONE);
  const waiting = waitingChains(kept.journal);
  for (const [path, decision] of Object.entries(answers)) {
    const chain = waiting.find((one) => one.path === path)?.chain;
    const places = () => waiting.map((one) => one.path).join(", ");
    const defect = chain ? pausedDefect(chain, decision) : `No step waits there, but ${places()}.`;
    if (defect) throw new ToolrailError("invalid-options", `The answer to ${path}: ${defect}`);
  }
  if (await pauses.take(id)) return kept;
  throw new ToolrailError("unknown-hop", GONE);
}

function waitingChains(journal: Iterable<readonly [string, StepStage]>) {
  return [...journal].flatMap(([path, stage]) => {
    return stage.type === "waiting" ? [{ path, chain: stage.chain }] : [];
  });
}

function listAsks(journal: Iterable<readonly [string, StepStage]>): PausedPipe["asks"] {
  return waitingChains(journal).flatMap(({ path, chain: { pending } }) =>
    pending ? [{ path, pending }] : [],
  );
}

function openPauses(host: Host, conversation: string | undefined) {
  return createPauses<KeptPipe>(engineOf(host), { kind: "pipe", conversation });
}

const NO_ROOM =
  "The pipe cannot wait for a person: its results so far are too large to keep. Let it return less.";
const GONE =
  "No pipe waits under this id. Another run has continued it, it has expired, or it was kept in another process or " +
  "conversation: give all hosts the same `store`, and `resumePipe` the same `conversation`.";
