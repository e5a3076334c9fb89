import {
  type ContentBlock,
  type Hop,
  type Host,
  type HostEvent,
  type ToolrailErrorCode,
  userView,
} from "@toolrail/core";
import type { ModelCallReport } from "./metered-fetch.ts";
import type { HopView } from "./protocol.ts";
import { toShownBlocks } from "./shown-blocks.ts";
import type { TurnLog } from "./turn-log.ts";

/** Turns what passes the host's door into what the page shows, in the order it happens. */
export interface TurnRecorder {
  onEvent(event: HostEvent): void;
  onHop(hop: Hop): void;
  onModelCall(call: ModelCallReport): void;
  text(delta: string): void;
  /** Why a call of this turn got no answer. */
  failure(): ToolrailErrorCode | undefined;
  /** Shows what the model would have relayed, where it has not had the last word. */
  showUnsaid(): void;
}

export interface TurnRecorderOptions {
  readonly log: TurnLog;
  readonly host: () => Host | undefined;
  /** Who asks where no model does. */
  readonly asker: "customer" | "application";
  /** True where no model will relay anything: all content for the user is shown. */
  readonly isDirect: boolean;
}

export function createTurnRecorder(options: TurnRecorderOptions): TurnRecorder {
  const { log, host, asker, isDirect } = options;
  let failure: ToolrailErrorCode | undefined;
  let unsaid: ContentBlock[] = [];

  function show(id: string, content: readonly ContentBlock[]): void {
    const blocks = toShownBlocks(content);
    if (blocks.length > 0) log.put("shown", id, { blocks });
  }

  return {
    onEvent(event) {
      if (event.type !== "call") return;
      if (event.outcome === "failed") failure = event.code;
      const state = toState(event);
      if (!state) return;
      const title = host()?.tools.find(({ id }) => id === event.tool)?.title;
      const { origin, callId: id, tool, elapsedMs: durationMs } = event;
      const by = origin.by === "model" || origin.by === "chain" ? origin.by : asker;
      const view: HopView = { tool, title: title ?? tool, by, state };
      log.put("hop", id, state === "running" ? view : { ...view, durationMs });
    },
    onHop(hop) {
      const { content, verbatim } = userView(hop);
      show(hop.callId, isDirect ? content : verbatim);
      if (!isDirect) unsaid.push(...content.filter((block) => !verbatim.includes(block)));
    },
    onModelCall({ id, ...call }) {
      log.put("model", id, call);
    },
    text(delta) {
      unsaid = [];
      log.text(delta);
    },
    failure: () => failure,
    showUnsaid() {
      show(
        crypto.randomUUID(),
        unsaid.filter(({ text }) => !/^\s*[[{]/.test(text ?? "")),
      );
      unsaid = [];
    },
  };
}

function toState(event: HostEvent & { type: "call" }): HopView["state"] | undefined {
  const { stage, outcome, isError, code } = event;
  if (outcome === "ok") {
    if (stage === "authorize") return "running";
    if (stage === "record") return isError ? "error" : "done";
    return undefined;
  }
  return code === "needs-approval" ? undefined : outcome === "failed" ? "error" : "refused";
}
