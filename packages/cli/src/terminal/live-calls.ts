import type { HostEvent } from "@toolrail/core";
import cliSpinners from "cli-spinners";
import { createLogUpdate } from "log-update";
import type { Output } from "../command.ts";
import { oneLine } from "./plain-text.ts";
import { formatDuration, type Style } from "./style.ts";

interface LiveCall {
  readonly label: string;
  readonly startMs: number;
  durationMs?: number;
  failed?: boolean;
}

const MAX_LINES = 12;

/** Draws one line a call over and over, with a spinner and the time it has taken so far. */
export function createLiveCalls(stream: Output, { colours, width }: Style) {
  const update = createLogUpdate(stream as NodeJS.WriteStream);
  const { frames, interval } = cliSpinners.dots;
  const startMs = performance.now();
  const calls = new Map<string, LiveCall>();
  let frame = 0;
  const line = (call: LiveCall) => {
    const running = call.durationMs === undefined;
    const spin = colours.cyan(frames[frame % frames.length] ?? "");
    const mark = running ? spin : call.failed ? colours.red("✖") : colours.green("✔");
    const time = formatDuration(call.durationMs ?? performance.now() - call.startMs);
    return `${mark} ${oneLine(call.label, width - 16)} ${colours.dim(time)}`;
  };
  const draw = () => {
    frame++;
    const shown = [...calls.values()].slice(-MAX_LINES).map(line);
    const waiting = line({ label: "reading the servers' tools", startMs });
    update(shown.length > 0 ? shown.join("\n") : waiting);
  };
  const start = () => setInterval(draw, interval).unref();
  let timer = start();
  const hide = () => {
    clearInterval(timer);
    update.clear();
  };
  return {
    /** Wipes the drawing until it is to be shown again: something else needs the terminal. */
    hide,
    show() {
      clearInterval(timer);
      timer = start();
    },
    onEvent(event: HostEvent) {
      if (event.type !== "call") return;
      const { callId, tool, origin, outcome, stage } = event;
      const call = calls.get(callId) ?? {
        label: origin.by === "pipe" ? `${origin.path}: ${tool}` : tool,
        startMs: performance.now() - event.elapsedMs,
      };
      calls.set(callId, call);
      if (outcome === "ok" && stage !== "record") return;
      call.durationMs = event.elapsedMs;
      call.failed = outcome !== "ok" || event.isError === true;
    },
    /** Wipes the drawing: the report takes its place. */
    stop() {
      hide();
      update.done();
    },
  };
}
