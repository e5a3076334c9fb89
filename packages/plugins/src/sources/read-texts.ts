import type { ArgumentSource } from "@toolrail/core";
import { type IndexedText, lengthOf } from "./index-text.ts";

/** One text that was read, where it came from, and what the call was given. */
export interface KeptText extends Pick<ArgumentSource, "server" | "tool" | "callId"> {
  readonly id: string;
  readonly index: IndexedText;
  readonly asked: IndexedText;
}

/** The texts that were read in one scope, oldest first. */
export interface ReadScope {
  readonly texts: KeptText[];
  /** All tools that were read, those included whose texts were dropped. */
  readonly tools: Set<string>;
  readonly dropped: Set<string>;
}

/** How much of what was read is kept. @inline */
export interface ReadBounds {
  /** The most results over all scopes, and the most scopes. Default 10,000. */
  readonly maxResults: number;
  /**
   * The most characters of texts and arguments over all scopes, each counted two or three times, since it is kept in that
   * many forms; an index takes 1.3 bytes more for each. Default 134,217,728.
   */
  readonly maxLength: number;
}

/** What was read in all scopes. Beyond the limits, the least recently used scope loses its oldest entries first. */
export function createReadTexts({ maxResults, maxLength }: ReadBounds) {
  const scopes = new Map<string, ReadScope>();
  let [results, length] = [0, 0];
  const weigh = ({ index, asked }: KeptText) => lengthOf(index) + lengthOf(asked);
  const forget = (scope: ReadScope): boolean => {
    const kept = scope.texts.shift();
    if (!kept) return false;
    scope.dropped.add(kept.id);
    results--;
    length -= weigh(kept);
    return true;
  };
  const open = (name: string): ReadScope => {
    const scope = scopes.get(name) ?? { texts: [], tools: new Set(), dropped: new Set() };
    scopes.delete(name);
    scopes.set(name, scope);
    const [oldest] = scopes;
    if (scopes.size > maxResults && oldest) {
      while (forget(oldest[1]));
      scopes.delete(oldest[0]);
    }
    return scope;
  };
  return {
    open,
    add(scope: string, kept: KeptText): void {
      const opened = open(scope);
      opened.texts.push(kept);
      opened.tools.add(kept.id);
      results++;
      length += weigh(kept);
      for (const one of scopes.values())
        while ((results > maxResults || length > maxLength) && forget(one));
    },
  };
}
