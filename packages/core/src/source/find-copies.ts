import type { ArgumentSource } from "../call/argument-source.ts";
import type { ArgumentLeaf } from "./argument-leaves.ts";
import { holds, holdsPassage, type IndexedText, type Needle, toNeedle } from "./index-text.ts";
import { identifiersIn, isTelling } from "./normalize-text.ts";
import type { KeptText } from "./read-texts.ts";
import { winnow } from "./winnow.ts";

/** The tools whose results contained a value, in whole or in part. What is in one of the `known` texts is not a copy. */
export function findCopies(
  leaves: readonly ArgumentLeaf[],
  { texts, known }: { readonly texts: readonly KeptText[]; readonly known: readonly IndexedText[] },
): ArgumentSource[] {
  const searches = leaves.map((leaf) => createSearch(leaf, known));
  for (const kept of texts) for (const { look } of searches) look(kept);
  return searches.flatMap(({ found }) => [...found.values()]);
}

/** Looks for one value in one text after the other; `found` are its sources, one for each tool. */
function createSearch({ path, text, needle }: ArgumentLeaf, known: readonly IndexedText[]) {
  const isNews = (one: Needle) => !known.some((index) => holds(index, one));
  const isTold = isTelling(text) && isNews(needle);
  const parts = identifiersIn(text).map(toNeedle).filter(isNews);
  const isKnown = (passage: string) => known.some((index) => index.text.includes(passage));
  const passages = { value: text, runs: winnow(text), isKnown };
  const found = new Map<string, ArgumentSource>();
  const look = (kept: KeptText): void => {
    const { id, server, tool, callId } = kept;
    const before = found.get(id);
    if (before && !before.part) return;
    const isWhole = isTold && holds(kept, needle);
    // A call that was given the value may only repeat it: then it came from elsewhere.
    const isPart = !isWhole || holds(kept.asked, needle);
    if (before && isPart) return;
    if (!isWhole && !parts.some((part) => holds(kept, part)) && !holdsPassage(kept, passages))
      return;
    const source = { path, server, tool, ...(callId && { callId }), how: "copy" } as const;
    found.set(id, isPart ? { ...source, part: true } : source);
  };
  return { look, found };
}
