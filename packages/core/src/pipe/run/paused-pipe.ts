import { z } from "zod";
import { pausedDefect } from "../../chain/resume-chain.ts";
import { ToolrailError } from "../../errors.ts";
import type { JsonObject } from "../../json/json.ts";
import { jsonObject, readShape } from "../../json/shape.ts";
import type { PendingCall } from "../../result/chain-result.ts";
import type { Pipe } from "../pipe.ts";
import type { CompiledPipe, PipeAnswers, PipeRun, StepStage } from "../types.ts";

export interface PipeStart {
  readonly pipe: CompiledPipe & Pick<Pipe, "author" | "follow" | "stepCount">;
  readonly vars: JsonObject;
  /** The time that the pipe has run, without the time that it waited. */
  readonly usedMs: number;
}

/** A run that waits for a person. Plain JSON, with the results so far: keep it where only your own program can write it. */
export interface PausedPipe {
  /** The calls that wait, with the paths of their steps. */
  readonly asks: readonly { readonly path: string; readonly pending: PendingCall }[];
  /** What `resumePipe` needs to go on. */
  readonly run: PipeStart &
    Pick<PipeRun, "pipeId" | "toolCallId" | "key" | "conversation" | "limits"> & {
      readonly journal: readonly (readonly [path: string, StepStage])[];
    };
}

/** Describes a run that waits, to be resumed in this process or another. */
export function toPaused(
  { pipeId, toolCallId, key, conversation, limits, journal = new Map() }: PipeRun,
  start: PipeStart,
): PausedPipe {
  const run = { ...start, pipeId, toolCallId, key, conversation, limits, journal: [...journal] };
  const asks = waitingChains(run.journal).flatMap(({ path, chain: { pending } }) =>
    pending ? [{ path, pending }] : [],
  );
  return JSON.parse(JSON.stringify({ asks, run }));
}

const STAGE = /* @__PURE__ */ z.discriminatedUnion("type", [
  z.object({
    type: z.literal("waiting"),
    startMs: z.number(),
    chain: z.object({ hops: z.array(jsonObject) }),
  }),
  z.object({ type: z.enum(["begun", "ended"]), startMs: z.number() }),
]);
const RUN = /* @__PURE__ */ z.object({
  pipe: z.object({ steps: z.array(jsonObject) }),
  pipeId: z.string(),
  usedMs: z.number(),
  vars: jsonObject,
  limits: jsonObject,
  journal: z.array(z.tuple([z.string(), STAGE])),
});

/** Reads a run that was kept outside. Throws `invalid-options` if it cannot be resumed, or not with these answers. */
export function readPaused(paused: PausedPipe, answers: PipeAnswers): PausedPipe["run"] {
  const { run } = paused;
  const { defect } = readShape(RUN, run);
  if (defect) throw new ToolrailError("invalid-options", `${CHANGED} In its \`run\`, ${defect}.`);
  const waiting = waitingChains(run.journal);
  for (const [path, decision] of Object.entries(answers)) {
    const chain = waiting.find((one) => one.path === path)?.chain;
    const places = () => waiting.map((one) => one.path).join(", ");
    const defect = chain ? pausedDefect(chain, decision) : `No step waits there, but ${places()}.`;
    if (defect) throw new ToolrailError("invalid-options", `The answer to ${path}: ${defect}`);
  }
  return run;
}

function waitingChains(journal: Iterable<readonly [string, StepStage]>) {
  return [...journal].flatMap(([path, stage]) => {
    return stage.type === "waiting" ? [{ path, chain: stage.chain }] : [];
  });
}

const CHANGED =
  "This pipe cannot be resumed: keep the `paused` that `runPipe` returned unchanged, as JSON.";
