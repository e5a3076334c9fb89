import type { ArgumentSource } from "@toolrail/core/plugin";
import type { ArgumentLeaf } from "./argument-leaves.ts";
import {
  holds,
  holdsPassage,
  holdsWhole,
  type IndexedText,
  type Needle,
  PIECE,
  type Section,
  splitPieces,
  toNeedle,
} from "./index-text.ts";
import { identifiersIn, isTelling, normalizeText } from "./normalize-text.ts";
import type { Pace } from "./pace.ts";
import type { KeptText } from "./read-texts.ts";
import { toExact, toExactValue } from "./whole-value.ts";
import { type Run, winnow } from "./winnow.ts";

/** A value of the arguments, prepared for the search. */
export interface SoughtValue {
  readonly text: string;
  readonly needle: Needle;
  /** The result of `toExactValue`, or empty if the value is too long to be searched for as a whole. */
  readonly exact: string;
}

export function toSought({ raw }: Pick<ArgumentLeaf, "raw">): SoughtValue {
  const isLong = raw.length > PIECE;
  const text = isLong ? "" : normalizeText(raw);
  return { text, needle: toNeedle(text), exact: isLong ? "" : toExactValue(raw) };
}

export function isWholeIn(index: IndexedText, { needle, exact }: SoughtValue): boolean {
  return index.some((section) => holdsWhole(section, needle, exact));
}

export interface Places {
  readonly texts: readonly KeptText[];
  /** The texts of the user. A value that they contain as a whole is no copy. */
  readonly known: IndexedText;
  readonly pace: Pace;
}

/** The steps of searching a section that may contain the value. */
const LOOK = 2_048;

/**
 * Finds the tools whose results contained a value. `part` is false if a result contains the whole value in the same spelling, and
 * the arguments of its call did not. Otherwise it is true.
 */
export async function findCopies(
  { path, raw }: ArgumentLeaf,
  { sought, texts, known, pace }: Places & { readonly sought: SoughtValue },
): Promise<ArgumentSource[]> {
  const { text, needle, exact } = sought;
  const isEvidence = isTelling(text) && !isWholeIn(known, sought);
  const found = new Map<string, ArgumentSource>();
  const note = ({ id, server, tool, callId }: KeptText, isPart: boolean): void => {
    const source = { path, server, tool, ...(callId && { callId }), how: "copy" } as const;
    found.set(id, isPart ? { ...source, part: true } : source);
  };
  for (const piece of splitPieces(raw)) {
    const inside = toInside(piece, known);
    const cost = (isEvidence ? 1 : 0) + inside.parts.length + inside.runs.length;
    const wait = pace.take(3 * piece.length);
    if (wait !== undefined) await wait;
    for (const kept of cost > 0 ? texts : []) {
      for (const section of kept.index) {
        const before = found.get(kept.id);
        if (before && !before.part) break;
        if (pace.isSpent()) return [...found.values()];
        const rest = pace.take(cost);
        if (rest !== undefined) await rest;
        if (isEvidence && holds(section, needle)) {
          await pace.take(LOOK);
          // If the call's arguments contained the value, its result may only repeat it.
          const isEcho = kept.argumentIndex.some((one) => holds(one, needle));
          note(kept, isEcho || !holdsWhole(section, needle, exact));
        } else if (!before && inside.standsIn(section)) {
          await pace.take(LOOK);
          note(kept, true);
        }
      }
    }
  }
  return [...found.values()];
}

/** Prepares the parts of a longer value for a search: identifiers, and runs of characters. */
function toInside(raw: string, known: IndexedText) {
  const text = normalizeText(raw);
  const parts = identifiersIn(text).map((value) => ({ value, needle: toNeedle(value) }));
  const runs: readonly Run[] = winnow(text);
  const isKnown = (passage: string) => known.some((section) => section.text.includes(passage));
  let userParts: Set<string> | undefined;
  /** Returns true if the user wrote a part in the same spelling. */
  const isFromUser = (value: string): boolean => {
    userParts ??= new Set(
      identifiersIn(toExact(raw))
        .filter((exact) => isWholeIn(known, toSought({ raw: exact })))
        .map(normalizeText),
    );
    return userParts.has(value);
  };
  const standsIn = (section: Section): boolean =>
    parts.some(({ value, needle }) => holds(section, needle) && !isFromUser(value)) ||
    holdsPassage(section, { value: text, runs, isKnown });
  return { parts, runs, standsIn };
}
