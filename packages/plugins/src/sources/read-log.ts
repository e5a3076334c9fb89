import type { Store } from "@toolrail/core";
import { askStore, toConversationKey } from "@toolrail/core/plugin";
import { isJsonObject } from "@toolrail/json";

/** The time for which a store remembers the tools that were read in a conversation. */
const TTL_MS = 30 * 86_400_000;
const RENEW_AFTER_MS = TTL_MS / 2;
/** The maximum number of processes in one conversation, far more than there are. */
const MAX_PLACES = 1_000;
const MAX_LOGS = 10_000;

/** The entry of one process in the log of a conversation. */
interface Entry {
  readonly tools: readonly string[];
  readonly atMs: number;
}

/** The state of this process for the log of one conversation. */
interface Log {
  /** The place that this process writes to, as soon as it has one. */
  own?: number;
  written: Entry;
  /** The number of taken places, as far as known. */
  places: number;
  last: Promise<unknown>;
}

const NOTHING: Entry = { tools: [], atMs: 0 };

/**
 * Creates a log of the tools that were read in each conversation, by all processes that share a store. Each process has a
 * separate place in the log of a conversation, so that no process overwrites another's entry.
 */
export function createReadLog({ store, now }: { readonly store: Store; now(): number }) {
  const writer = crypto.randomUUID();
  const logs = new Map<string, Log>();
  const open = (conversation: string): Log => {
    const log = logs.get(conversation) ?? { written: NOTHING, places: 0, last: Promise.resolve() };
    logs.delete(conversation);
    logs.set(conversation, log);
    const [oldest] = logs.keys();
    if (logs.size > MAX_LOGS && oldest !== undefined) logs.delete(oldest);
    return log;
  };
  const get = (key: string) => askStore(() => store.get(key));
  const set = (key: string, value: unknown) => askStore(() => store.set(key, value, TTL_MS));
  const isTaken = async (key: string) => ((await get(key)) ?? undefined) !== undefined;

  /**
   * Returns true for at most one process. Without `claim`, processes that try at the same time may all have to try the next
   * place.
   */
  const takePlace = async (key: string): Promise<boolean> => {
    if (store.claim) return (await askStore(() => store.claim?.(key, writer, TTL_MS))) === true;
    // Two registers are enough: if a process finds its name in the first after writing the second, it is alone.
    await set(`${key}:by`, writer);
    if (await isTaken(key)) return false;
    await set(key, writer);
    return (await get(`${key}:by`)) === writer;
  };
  const findPlace = async (conversation: string): Promise<number> => {
    for (let place = 0; place < MAX_PLACES; place++)
      if (await takePlace(placeKey(conversation, place))) return place;
    throw new Error("The log of the tools that were read has no place left.");
  };
  const entryAt = async (conversation: string, place: number): Promise<Entry> => {
    const entry = await get(`${placeKey(conversation, place)}:tools`);
    const { tools, atMs } = isJsonObject(entry) ? entry : {};
    return Array.isArray(tools) ? { tools: tools.map(String), atMs: Number(atMs) } : NOTHING;
  };
  /** Reads the entries of other processes, and those of this one before it lost its place. */
  const readOthers = async (conversation: string): Promise<readonly Entry[]> => {
    const log = open(conversation);
    while (await isTaken(placeKey(conversation, log.places))) log.places++;
    const places = Array.from({ length: log.places }, (_, at) => at);
    return Promise.all(
      places.filter((at) => at !== log.own).map((place) => entryAt(conversation, place)),
    );
  };
  const write = async (conversation: string, tool: string): Promise<void> => {
    const log = open(conversation);
    const isFresh = ({ tools, atMs }: Entry) =>
      tools.includes(tool) && now() - atMs < RENEW_AFTER_MS;
    if (isFresh(log.written)) return;
    const others = await readOthers(conversation);
    // If two processes have recorded a tool, each process finds it in an entry other than its own.
    if (others.filter(isFresh).length >= 2) return;
    log.own ??= await findPlace(conversation);
    const { own } = log;
    for (let place = 0; place <= own; place++) await set(placeKey(conversation, place), writer);
    // Entries that will expire soon are written again.
    const old = others.filter(({ atMs }) => now() - atMs >= RENEW_AFTER_MS);
    const all = [...log.written.tools, tool, ...old.flatMap(({ tools }) => tools)];
    const written = { tools: [...new Set(all)], atMs: now() };
    await set(`${placeKey(conversation, own)}:tools`, written);
    log.written = written;
  };
  return {
    /** Forgets what this process has read, so that it reads its own entry like those of others. */
    forget: (conversation: string) => void logs.delete(conversation),
    /** Lists the tools that other processes have read, and this one before it lost its place in the log. */
    async readElsewhere(conversation: string): Promise<readonly string[]> {
      return (await readOthers(conversation)).flatMap(({ tools }) => tools);
    },
    /** Records that a tool's result is about to be read. If the store fails, it rejects, and nothing may be read. */
    write(conversation: string, tool: string): Promise<void> {
      const log = open(conversation);
      const writing = log.last.then(() => write(conversation, tool));
      log.last = writing.catch(() => {});
      return writing;
    },
  };
}

function placeKey(conversation: string, place: number): string {
  return toConversationKey(conversation, `read:${place}`);
}
