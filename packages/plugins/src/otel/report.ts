import type { HostReport } from "@toolrail/core/plugin";
import { aroundStep, callSpan, runAttributes, spanKey } from "./call-span.ts";
import type { OpenSpans } from "./open-spans.ts";

type EventOf<Type extends HostReport["type"]> = Extract<HostReport, { readonly type: Type }>;

const ASKED: readonly (string | undefined)[] = ["needs-approval", "outcome-unknown"];
/** Marks a span whose work waits for a person and may continue elsewhere. */
const WAITING = { "toolrail.waiting": true };

export function createReport(spans: OpenSpans): (event: HostReport) => void {
  const onCall = (event: EventOf<"call">) => {
    const { stage, outcome, code, isError, madeBefore, callId, runId } = event;
    if (outcome === "ok" && stage !== "record" && !madeBefore) return;
    const key = spanKey.call(callId);
    const begun = callSpan(spans, event);
    const isAsked = ASKED.includes(code);
    const end = isAsked ? { attributes: WAITING } : { code: isError ? "tool_error" : code };
    if (!spans.end(key, end)) {
      const before = madeBefore && { "toolrail.made_before": true };
      const attributes = { ...begun.attributes, ...before };
      const startTime = event.atMs - event.elapsedMs;
      spans.start(key, { ...begun, name: "tools/call", startTime, attributes });
      spans.end(key, end);
    }
    const [step = ""] = begun.under ?? [];
    if (isAsked && step.startsWith(spanKey.step(runId, "")))
      setTimeout(() => leave(spans, { runId, step }), 0);
  };

  const onStep = ({ stage, runId, path, kind, ok }: EventOf<"step">) => {
    const key = spanKey.step(runId, path);
    if (stage === "ended") return spans.end(key, { code: ok ? undefined : "step_failed" });
    const attributes = { "toolrail.step.path": path, "toolrail.step.kind": kind };
    const under = aroundStep(runId, path);
    return spans.start(key, { name: `step ${path}`, runId, under, attributes });
  };

  const onPipe = ({ stage, runId, steps, calls, author, ok, code, elapsedMs }: EventOf<"pipe">) => {
    const key = spanKey.pipe(runId);
    const attributes = {
      "gen_ai.operation.name": "invoke_workflow",
      "gen_ai.workflow.name": "mcp_pipe",
      ...runAttributes(runId),
      "toolrail.pipe.author": author,
      "toolrail.pipe.steps": steps,
    };
    const begun = { name: "invoke_workflow mcp_pipe", runId, attributes };
    // The run of a refused spec never began, so its span begins here.
    if (stage === "started" || elapsedMs === undefined) spans.start(key, begun);
    if (stage === "started") return;
    const callCount = { "toolrail.pipe.calls": calls };
    spans.end(key, { code: ok ? undefined : (code ?? "pipe_failed"), attributes: callCount });
  };

  return (event) => {
    if (event.type === "call") onCall(event);
    if (event.type === "step") onStep(event);
    if (event.type === "pipe") onPipe(event);
    // A chain in a pipe has the span of its step.
    if (event.type === "chain-started" && event.origin.by !== "pipe") {
      const { runId, origin } = event;
      const [follows, attributes] = [origin.traceparent, runAttributes(runId, origin)];
      spans.start(spanKey.chain(runId), { name: "chain", runId, follows, attributes });
    }
    if (event.type === "chain-ended") {
      const { runId, ended, hops, code } = event;
      const attributes = { "toolrail.chain.ended": ended, "toolrail.chain.calls": hops };
      const end = ended === "needs-approval" ? {} : { code };
      spans.end(spanKey.chain(runId), { attributes, ...end });
    }
    if (event.type === "guard") {
      const { runId } = event;
      const key = spanKey.guard(runId);
      const attributes = runAttributes(runId);
      if (event.stage === "started") spans.start(key, { name: "guard", runId, attributes });
      else spans.end(key, { attributes: { "toolrail.guard.outcome": event.code } });
    }
  };
}

/** Ends all spans of a pipe that waits for a person, unless another of its calls is running. */
function leave(
  spans: OpenSpans,
  { runId, step }: { readonly runId: string; readonly step: string },
): void {
  const keys = spans.ofRun(runId);
  if (!keys.includes(step) || keys.some((key) => key.startsWith(spanKey.call("")))) return;
  for (const key of keys.reverse()) spans.end(key, { attributes: WAITING });
}
