import type { HostEvent, HostReport } from "../types/events.ts";
import { notify } from "./notify.ts";

/** Where a host reports what happens. */
export interface Voice {
  /** Reports anything. Absent if nobody listens, so that nothing is composed in vain. */
  readonly emit: ((event: HostReport) => void) | undefined;
  /** Reports a problem: to who listens, else on the console. */
  readonly tell: (event: HostReport) => void;
}

/** Creates the reports of a host. Without a listener, each problem goes to `console.warn` once. */
export async function createVoice(options: {
  readonly onEvent?: ((event: HostEvent) => void) | undefined;
  /** `onEvent` of plugins. */
  readonly others?: readonly ((event: HostEvent) => void)[] | undefined;
}): Promise<Voice> {
  const { onEvent, others = [] } = options;
  const listeners = [...others, onEvent ?? createWarnings()];
  const { eventText } = await import("./event-text.ts");
  const tell = (report: HostReport) => {
    const event = { ...report, message: eventText(report) } as HostEvent;
    for (const listener of listeners) void notify(listener, event);
  };
  return { emit: onEvent || others.length > 0 ? tell : undefined, tell };
}

/** Creates a listener that writes what somebody should do something about to the console, once. */
export function createWarnings(): (event: HostEvent) => void {
  const said = new Set<string>();
  return ({ type, message }) => {
    const isProblem = type === "problem" || type === "warning" || type === "store-full";
    if (!isProblem || said.has(message)) return;
    said.add(message);
    console.warn(`Toolrail: ${message}`);
  };
}
