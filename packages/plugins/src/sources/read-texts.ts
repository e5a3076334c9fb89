import type { ArgumentSource } from "@toolrail/core/plugin";
import { type IndexedText, measureIndex } from "./index-text.ts";

/** A text that was read, with its call and the arguments of that call. */
export interface KeptText extends Pick<ArgumentSource, "server" | "tool" | "callId"> {
  readonly id: string;
  readonly index: IndexedText;
  readonly argumentIndex: IndexedText;
}

/** The texts that were read in one conversation, oldest first. */
export interface ReadTexts {
  readonly texts: KeptText[];
  /** All tools that were read, including those whose texts were dropped. */
  readonly tools: Set<string>;
  readonly dropped: Set<string>;
}

/** The limits of stored texts. @inline */
export interface ReadBounds {
  /** The maximum number of results over all conversations, and of conversations. Default 10,000. */
  readonly maxResults: number;
  /**
   * The maximum characters of texts and arguments over all conversations. Each counts two or three times, since it is stored in
   * that many forms. An index takes 1.3 bytes more for each. Default 134,217,728.
   */
  readonly maxLength: number;
}

/**
 * Stores the texts of all conversations. Beyond the limits, the least recently used conversation loses its oldest entries first.
 * `onForget` learns of a conversation of which nothing is left here, also not which tools were read.
 */
export function createReadTexts(
  { maxResults, maxLength }: ReadBounds,
  onForget: (conversation: string) => void,
) {
  const conversations = new Map<string, ReadTexts>();
  let [results, length] = [0, 0];
  const weigh = ({ index, argumentIndex }: KeptText) =>
    measureIndex(index) + measureIndex(argumentIndex);
  const forget = (reads: ReadTexts): boolean => {
    const kept = reads.texts.shift();
    if (!kept) return false;
    reads.dropped.add(kept.id);
    results--;
    length -= weigh(kept);
    return true;
  };
  const open = (name: string): ReadTexts => {
    const reads = conversations.get(name) ?? { texts: [], tools: new Set(), dropped: new Set() };
    conversations.delete(name);
    conversations.set(name, reads);
    const [oldest] = conversations;
    if (conversations.size > maxResults && oldest) {
      while (forget(oldest[1]));
      conversations.delete(oldest[0]);
      onForget(oldest[0]);
    }
    return reads;
  };
  return {
    open,
    add(conversation: string, kept: KeptText): void {
      const opened = open(conversation);
      opened.texts.push(kept);
      opened.tools.add(kept.id);
      results++;
      length += weigh(kept);
      for (const one of conversations.values())
        while ((results > maxResults || length > maxLength) && forget(one));
    },
  };
}
