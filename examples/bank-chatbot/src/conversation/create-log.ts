import type { ConversationView, Entry, EntryOf, NewEntry } from "./conversation-view.ts";

/** The record of a conversation, with its listeners. */
export interface Log {
  view(): ConversationView;
  /** Calls the listener with the present view and after each change. Returns a function that ends this. */
  watch(listener: (view: ConversationView) => void): () => void;
  change(change: Partial<ConversationView>): void;
  find<Type extends Entry["type"]>(type: Type, id: string): EntryOf<Type> | undefined;
  /** Returns the id of the new entry. */
  add(entry: NewEntry): string;
  /** Adds an entry, or replaces the one of the same id. */
  put(entry: Entry): void;
  /** More of the model's words. */
  words(delta: string): void;
}

export function createLog(mode: ConversationView["mode"]): Log {
  const entries: Entry[] = [];
  const listeners = new Set<(view: ConversationView) => void>();
  let view: ConversationView = { mode, entries, isBusy: false, isSignedIn: false, answerMs: 0 };

  function change(changed: Partial<ConversationView>): void {
    view = { ...view, ...changed };
    for (const listener of listeners) listener(view);
  }

  function put(entry: Entry): void {
    const at = entries.findIndex(({ id }) => id === entry.id);
    entries.splice(at < 0 ? entries.length : at, 1, entry);
    change({});
  }

  function add(entry: NewEntry): string {
    const id = crypto.randomUUID();
    put({ id, ...entry });
    return id;
  }

  return {
    ...{ change, put, add },
    view: () => view,
    watch(listener) {
      listeners.add(listener);
      listener(view);
      return () => void listeners.delete(listener);
    },
    find: <Type extends Entry["type"]>(type: Type, id: string) =>
      entries.find((one): one is EntryOf<Type> => one.type === type && one.id === id),
    words(delta) {
      const last = entries.at(-1);
      if (last?.type === "words") put({ ...last, text: last.text + delta });
      else if (delta) add({ type: "words", text: delta });
    },
  };
}
