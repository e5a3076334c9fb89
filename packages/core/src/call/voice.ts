import { messageOf, plainLine, shorten } from "../json/plain-text.ts";
import { eventText, type HostEvent, type HostReport, notify, type WarningCode } from "./events.ts";
import type { Plugin } from "./plugin.ts";

type Listener = (event: HostEvent) => void;

/** The most different warnings of a host, since a server can change what they are about as often as it likes. */
const MAX_WARNINGS = 100;

/** Creates the reports of a host. Without a listener, and if `onEvent` itself throws, each problem goes to `console.warn` once. */
export function createVoice({
  onEvent,
  others,
  now,
}: {
  readonly onEvent: Listener | undefined;
  /** The plugins that listen, which may be added later. */
  readonly others: readonly Plugin[];
  readonly now: () => number;
}) {
  const write = createWarnings();
  const warned = new Set<string>();
  /** Reports a problem to the listeners, or without one on the console. */
  const tell = (report: HostReport, cause?: unknown): void => {
    const text = eventText(report);
    const event: HostEvent = text === undefined ? report : { ...report, message: plainLine(text) };
    if (cause !== undefined) Object.defineProperty(event, "cause", { value: cause });
    const isBroken = "listener" in event && event.listener === "onEvent";
    for (const plugin of others) void notify(listenerOf(plugin, "onEvent"), event, { warn });
    void notify({ onEvent: isBroken ? write : (onEvent ?? write) }, event, { warn });
  };
  /** Reports a warning once for what it is about. */
  const warn = (code: WarningCode, about = "", cause?: unknown): void => {
    const key = code + about;
    if (warned.has(key) || warned.size >= MAX_WARNINGS) return;
    warned.add(key);
    const subject = code === "listener-failed" ? { listener: about } : about && { about };
    tell({ type: "warning", atMs: now(), code, ...subject } as HostReport, cause);
  };
  /** True if somebody listens to events. */
  const isHeard = (): boolean => onEvent !== undefined || others.length > 0;
  /** Reports any event to the listeners, if there are any. */
  const emit = (report: HostReport): void => {
    if (isHeard()) tell(report);
  };
  return { emit, tell, warn, isHeard };
}

/** Returns a listener of a plugin by its name in warnings. */
export function listenerOf<Name extends "onHop" | "onEvent">(plugin: Plugin, name: Name) {
  return { [`${name} of the plugin "${plugin.name}"`]: plugin[name]?.bind(plugin) as Plugin[Name] };
}

/**
 * Creates a listener that writes problems and warnings to the console, each once: one for each server and code,
 * and at most a hundred, since a server can make as many as it likes.
 */
export function createWarnings(): (event: HostEvent) => void {
  const written = new Set<string>();
  return (event) => {
    const { type, message } = event;
    if (message === undefined) return;
    const about = type === "problem" && event.problem.message === undefined && event.problem;
    const key = about ? `${about.code} of ${about.server}` : message;
    if (written.size >= MOST_LINES || written.has(key)) return;
    written.add(key);
    const cause =
      "cause" in event ? ` It threw: ${plainLine(shorten(messageOf(event.cause), 200))}` : "";
    console.warn(`Toolrail: ${shorten(message, MOST_CHARACTERS)}${cause}`);
    if (written.size === MOST_LINES) console.warn(`Toolrail: ${LAST}`);
  };
}

const MOST_LINES = 100;
const MOST_CHARACTERS = 1_000;
const LAST = "Further problems are not written: see `host.problems`, or set `onEvent` of the host.";
