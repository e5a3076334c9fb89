import type { HostEvent, HostReport } from "../types/events.ts";
import { eventText } from "./event-text.ts";
import { notify } from "./notify.ts";

export interface Voice {
  /** Reports any event to the listeners, if there are any. */
  readonly emit: (event: HostReport) => void;
  /** Reports a problem to the listener, or without one on the console. */
  readonly tell: (event: HostReport) => void;
}

/** Creates the reports of a host. Without a listener, each problem goes to `console.warn` once. */
export function createVoice(options: {
  readonly onEvent?: ((event: HostEvent) => void) | undefined;
  readonly others?: readonly ((event: HostEvent) => void)[] | undefined;
}): Voice {
  const { onEvent, others = [] } = options;
  const listeners = [...others, onEvent ?? createWarnings()];
  const tell = (report: HostReport) => {
    const event = { ...report, message: eventText(report) } as HostEvent;
    for (const listener of listeners) void notify(listener, event);
  };
  return { emit: onEvent || others.length > 0 ? tell : () => {}, tell };
}

/** Creates a listener that writes problems and warnings to the console, each once. */
export function createWarnings(): (event: HostEvent) => void {
  const written = new Set<string>();
  return ({ type, message }) => {
    const isProblem = type === "problem" || type === "warning" || type === "store-full";
    if (!isProblem || written.has(message)) return;
    written.add(message);
    console.warn(`Toolrail: ${message}`);
  };
}
