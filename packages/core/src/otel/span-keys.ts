import type { CallOrigin } from "../result/hop.ts";
import type { OpenSpans } from "./open-spans.ts";

/** The keys under which spans are open. */
export const keyOf = {
  call: (callId: string) => `call ${callId}`,
  chain: (runId: string) => `chain ${runId}`,
  guard: (runId: string) => `guard ${runId}`,
  pipe: (runId: string) => `pipe ${runId}`,
  step: (runId: string, path: string) => `step ${runId} ${path}`,
};

/** The spans around a step of a pipe: those of the paths that its own begins with, and the pipe. */
export function aroundStep(runId: string, path: string): string[] {
  const parts = path.split(".");
  const outer = parts.map((_, at) => parts.slice(0, at).join("."));
  return [...outer.reverse().map((each) => keyOf.step(runId, each)), keyOf.pipe(runId)];
}

/** The spans around a call: its step, or that of the call it follows from; else its chain or its guarded query. */
export function aroundCall(
  spans: OpenSpans,
  { runId, origin }: { readonly runId: string; readonly origin: CallOrigin },
): readonly string[] {
  if (origin.by === "pipe") {
    return [keyOf.step(runId, origin.path), ...aroundStep(runId, origin.path)];
  }
  const cause = origin.by === "chain" ? spans.placeOf(keyOf.call(origin.causedBy)) : undefined;
  return cause?.under ?? [keyOf.chain(runId), keyOf.guard(runId)];
}
