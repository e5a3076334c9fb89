import { plainLine, shorten } from "../json/plain-text.ts";
import { eventText, type HostEvent, type HostReport, notify, type Warns } from "./events.ts";

export interface Voice {
  /** Reports any event to the listeners, if there are any. */
  readonly emit: (event: HostReport) => void;
  /** Reports a problem to the listener, or without one on the console. */
  readonly tell: (event: HostReport) => void;
}

/** Creates the reports of a host. Without a listener, and if `onEvent` itself throws, each problem goes to `console.warn` once. */
export function createVoice(
  options: {
    readonly onEvent?: ((event: HostEvent) => void) | undefined;
    readonly others?: readonly ((event: HostEvent) => void)[] | undefined;
  } & Warns,
): Voice {
  const { onEvent, others = [], warn } = options;
  const write = createWarnings();
  const tell = (report: HostReport) => {
    const event = { ...report, message: plainLine(eventText(report)) } as HostEvent;
    const isBroken = "listener" in event && event.listener === "onEvent";
    for (const listener of others)
      void notify({ [ofPlugin("onEvent")]: listener }, event, { warn });
    void notify({ onEvent: isBroken ? write : (onEvent ?? write) }, event, { warn });
  };
  return { emit: onEvent || others.length > 0 ? tell : () => {}, tell };
}

/** The name of a listener that a plugin has. */
export const ofPlugin = (name: string): string => `${name} of a plugin`;

/**
 * Creates a listener that writes problems and warnings to the console, each once: one for each server and code,
 * and at most a hundred, since a server can make as many as it likes.
 */
export function createWarnings(): (event: HostEvent) => void {
  const written = new Set<string>();
  return (event) => {
    const { type, message } = event;
    const isProblem = type === "problem" || type === "warning" || type === "store-full";
    const about = type === "problem" && event.problem.message === undefined && event.problem;
    const key = about ? `${about.code} of ${about.server}` : message;
    if (!isProblem || written.size >= MOST_LINES || written.has(key)) return;
    written.add(key);
    console.warn(`Toolrail: ${shorten(message, MOST_CHARACTERS)}`);
    if (written.size === MOST_LINES) console.warn(`Toolrail: ${LAST}`);
  };
}

const MOST_LINES = 100;
const MOST_CHARACTERS = 1_000;
const LAST = "Further problems are not written: see `host.problems`, or set `onEvent` of the host.";
