import { messageOf, plainLine, shorten } from "../json/plain-text.ts";
import { eventText, type HostEvent, type HostReport, notify, type WarningCode } from "./events.ts";
import type { Plugin } from "./plugin.ts";

type Listener = (event: HostEvent) => void;

/** The most different warnings of a host, since a server can change what they are about as often as it likes. */
const MAX_WARNINGS = 100;

interface VoiceParts {
  readonly onEvent: Listener | undefined;
  /** The plugins that listen, which may be added later. */
  readonly others: readonly Plugin[];
  readonly now: () => number;
}

/** The reports of a host. Without a listener, and if `onEvent` itself throws, each problem goes to `console.warn` once. */
export class Voice {
  readonly #parts: VoiceParts;
  readonly #write = createWarnings();
  readonly #warned = new Set<string>();

  constructor(parts: VoiceParts) {
    this.#parts = parts;
  }

  /** True if somebody listens to events. */
  isHeard(): boolean {
    const { onEvent, others } = this.#parts;
    return onEvent !== undefined || others.length > 0;
  }

  /** Reports any event to the listeners, if there are any. */
  emit(report: HostReport): void {
    if (this.isHeard()) this.tell(report);
  }

  /** Reports a problem to the listeners, or without one on the console. */
  tell(report: HostReport, cause?: unknown): void {
    const { onEvent = this.#write, others } = this.#parts;
    const text = eventText(report);
    const event: HostEvent = text === undefined ? report : { ...report, message: plainLine(text) };
    if (cause !== undefined) Object.defineProperty(event, "cause", { value: cause });
    const isBroken = "listener" in event && event.listener === "onEvent";
    for (const plugin of others) void notify(listenerOf(plugin, "onEvent"), event, this);
    void notify({ onEvent: isBroken ? this.#write : onEvent }, event, this);
  }

  /** Reports a warning once for what it is about, such as the name of a listener that has thrown an error. */
  warn(code: WarningCode, about = "", cause?: unknown): void {
    const key = code + about;
    if (this.#warned.has(key) || this.#warned.size >= MAX_WARNINGS) return;
    this.#warned.add(key);
    const subject = code === "listener-failed" ? { listener: about } : about && { about };
    const atMs = this.#parts.now();
    this.tell({ type: "warning", atMs, code, ...subject } as HostReport, cause);
  }
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
