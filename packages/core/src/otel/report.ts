import type { HostEvent } from "../call/events.ts";
import { callAttributes, PIPE, runAttributes, WAITING } from "./attributes.ts";
import type { OpenSpans } from "./open-spans.ts";
import { aroundCall, aroundStep, keyOf } from "./span-keys.ts";

type EventOf<Type extends HostEvent["type"]> = Extract<HostEvent, { readonly type: Type }>;

const ASKED: readonly (string | undefined)[] = ["needs-approval", "outcome-unknown"];

/** Begins and ends spans as the events of a host tell. */
export function createReport(spans: OpenSpans): (event: HostEvent) => void {
  const onCall = (event: EventOf<"call">) => {
    const { stage, outcome, code, isError, madeElsewhere, callId, runId, origin } = event;
    if (outcome === "ok" && stage !== "record" && !madeElsewhere) return;
    const key = keyOf.call(callId);
    const under = aroundCall(spans, event);
    const isAsked = ASKED.includes(code);
    const end = { code: isAsked ? undefined : isError ? "tool_error" : code };
    if (!spans.end(key, { ...end, ...(isAsked && { attributes: WAITING }) })) {
      const elsewhere = madeElsewhere && { "toolrail.made_elsewhere": true };
      const attributes = { ...callAttributes(event), ...elsewhere, ...(isAsked && WAITING) };
      const startTime = event.atMs - event.elapsedMs;
      const follows = origin.traceparent;
      spans.start(key, { name: "tools/call", runId, under, startTime, follows, attributes });
      spans.end(key, end);
    }
    const [step = ""] = under;
    if (isAsked && step.startsWith(keyOf.step(runId, "")))
      setTimeout(() => leave(spans, { runId, step }), 0);
  };

  const onStep = ({ stage, runId, path, kind, ok }: EventOf<"step">) => {
    const key = keyOf.step(runId, path);
    if (stage === "ended") return spans.end(key, { code: ok ? undefined : "step_failed" });
    const attributes = { "toolrail.step.path": path, "toolrail.step.kind": kind };
    const situation = { runId, under: aroundStep(runId, path) };
    spans.start(key, { name: `step ${path}`, ...situation, attributes });
  };

  const onPipe = ({ stage, runId, steps, calls, author, ok, code, elapsedMs }: EventOf<"pipe">) => {
    const key = keyOf.pipe(runId);
    const own = { "toolrail.pipe.author": author, "toolrail.pipe.steps": steps };
    const attributes = { ...PIPE, ...runAttributes(runId), ...own };
    const begun = { name: "invoke_workflow mcp_pipe", runId, attributes };
    // A spec that was refused never began.
    if (stage === "started" || elapsedMs === undefined) spans.start(key, begun);
    if (stage === "started") return;
    const made = { "toolrail.pipe.calls": calls };
    spans.end(key, { code: ok ? undefined : (code ?? "pipe_failed"), attributes: made });
  };

  return (event) => {
    if (event.type === "call") onCall(event);
    if (event.type === "step") onStep(event);
    if (event.type === "pipe") onPipe(event);
    // A chain in a pipe is its step.
    if (event.type === "chain-started" && event.origin.by !== "pipe") {
      const { runId, origin } = event;
      const situation = { runId, follows: origin.traceparent };
      const attributes = runAttributes(runId, origin);
      spans.start(keyOf.chain(runId), { name: "chain", ...situation, attributes });
    }
    if (event.type === "chain-ended") {
      const { runId, ended, hops, code } = event;
      const attributes = { "toolrail.chain.ended": ended, "toolrail.chain.calls": hops };
      const end = ended === "needs-approval" ? {} : { code };
      spans.end(keyOf.chain(runId), { attributes, ...end });
    }
    if (event.type === "guard") {
      const { runId } = event;
      const key = keyOf.guard(runId);
      const attributes = runAttributes(runId);
      if (event.stage === "started") spans.start(key, { name: "guard", runId, attributes });
      else spans.end(key, { attributes: { "toolrail.guard.outcome": event.code } });
    }
  };
}

/** Ends all spans of a pipe that has stopped to wait for a person, unless another of its calls is under way. */
function leave(
  spans: OpenSpans,
  { runId, step }: { readonly runId: string; readonly step: string },
): void {
  const keys = spans.ofRun(runId);
  if (!keys.includes(step) || keys.some((key) => key.startsWith(keyOf.call("")))) return;
  for (const key of keys.reverse()) spans.end(key, { attributes: WAITING });
}
