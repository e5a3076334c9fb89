import type { ReadText } from "../call/argument-source.ts";
import { type IndexedText, indexText } from "./index-text.ts";
import { sourceId } from "./source-policy.ts";

/** One text that was read, where it came from, and what the call was given. */
export interface KeptText extends IndexedText, Pick<ReadText, "server" | "tool" | "callId"> {
  readonly id: string;
  readonly asked: IndexedText;
}

/** What was read in one scope, oldest first. The tools stay known after their texts are dropped. */
export interface ReadScope {
  readonly texts: KeptText[];
  readonly tools: Set<string>;
}

/** How much of what was read is kept. @inline */
export interface ReadBounds {
  /** The most results over all scopes, and the most scopes. Default 10,000. */
  readonly maxResults: number;
  /** The most characters of texts and arguments over all scopes; an index takes 1.3 bytes more for each. Default 67,108,864. */
  readonly maxLength: number;
}

const lengthOf = ({ text, asked }: KeptText) => text.length + asked.text.length;

/** What was read in all scopes. Beyond the limits, the least recently used scope loses its oldest entries first. */
export function createReadTexts({ maxResults, maxLength }: ReadBounds) {
  const scopes = new Map<string, ReadScope>();
  let [results, length] = [0, 0];
  const forget = (scope: ReadScope): boolean => {
    const kept = scope.texts.shift();
    if (!kept) return false;
    results--;
    length -= lengthOf(kept);
    return true;
  };
  const open = (name: string): ReadScope => {
    const scope = scopes.get(name) ?? { texts: [], tools: new Set() };
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
    add({ scope, text, asked = "", ...place }: ReadText): ReadScope {
      const opened = open(scope);
      const asks = { id: sourceId(place), asked: indexText(asked) };
      const added = { ...place, ...asks, ...indexText(text) };
      opened.texts.push(added);
      results++;
      length += lengthOf(added);
      for (const one of scopes.values())
        while ((results > maxResults || length > maxLength) && forget(one));
      return opened;
    },
  };
}
