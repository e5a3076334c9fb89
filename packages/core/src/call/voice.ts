import type { HostEvent, HostReport } from "../types/events.ts";
import { notify } from "./notify.ts";

/** Where a host reports what happens. */
export interface Voice {
  /** Reports anything. Absent if nobody listens, so that nothing is composed in vain. */
  readonly emit: ((event: HostReport) => void) | undefined;
  /** Reports a problem: to who listens, else on the console. */
  readonly tell: (event: HostReport) => void;
}

/** Creates the reports of a host. Without a listener, each problem goes to `console.warn` once, unless `silent`. */
export async function createVoice(options: {
  readonly onEvent?: ((event: HostEvent) => void) | undefined;
  readonly silent?: boolean;
}): Promise<Voice> {
  const { onEvent, silent = false } = options;
  if (!onEvent && silent) return { emit: undefined, tell() {} };
  const { eventText } = await import("./event-text.ts");
  const listener = onEvent ?? createWarnings();
  const tell = (event: HostReport) =>
    void notify(listener, { ...event, message: eventText(event) } as HostEvent);
  return { emit: onEvent && tell, tell };
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
