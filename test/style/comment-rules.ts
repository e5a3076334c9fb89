/** A rule over comments: its name, and the words that break it. */
export type CommentRule = readonly [name: string, pattern: RegExp];

/** Docstrings are sentences that begin with a verb or a noun phrase, in plain words. Each rule names what to write instead. */
export const COMMENT_RULES: readonly CommentRule[] = [
  [
    "begin with a verb or a noun, not with a clause",
    /^(What|Whether|Why|How|Where|Who|Which|When)\b(?![^.]*\?)/,
  ],
  ["begin with the noun, not with `Of`", /^(Of\b|(As|Like) `)/],
  [
    "begin with a verb in the third person, not with a participle",
    /^(Told|Said|Called|Asked|Made|Given|Kept|Written|Counted|Set|Loaded)\b/,
  ],
  ["name the subject", /^(For|Beyond|Without|With|Also|Beside|Among|From|In|On|By|To)\b/],
  ["write `if`", /^(True|False) (for|where|of|lets|keeps|names|adds|puts)\b/],
  [
    "write `if` for a condition, not `where`",
    /\bwhere (it|they|there|that|the|an?|no|nobody|one|this|all|its|any|each|none|several)\b/,
  ],
  ["write `is` or `becomes`", /\b(come|comes|came) (of|to)\b/],
  ["write `gets` or `receives`", /\b(told|tells?|telling)\b/],
  ["say it of a person or a server alone", /\b(says?|said|saying)\b/],
  ["write `is`", /\b(stands?|stood|lies?|lay|bears?)\b/],
  ["write `continues`", /\b(go|goes|going|went) on\b/],
  ["write `except`", /\b(but for|all the same|as it is|as they are|be it)\b/],
  ["write `again`", /\b(anew|afresh|once more|meanwhile)\b/],
  ["name who", /\b(nobody|somebody|another one)\b/],
  ["write `its`", /\b(of its own|of their own|its own word)\b/],
  ["use the term of the glossary", /\b(door|tickets?|seals?|sealed|slot|hub)\b/],
  ["write two sentences", /;(?! \{)/],
];

/** The comments of a TypeScript source: those before declarations and those at the end of lines. */
export function commentsOf(
  source: string,
): readonly { readonly line: number; readonly text: string }[] {
  const found: { line: number; text: string }[] = [];
  const lineAt = (index: number) => source.slice(0, index).split("\n").length;
  for (const match of source.matchAll(/(?<=^|\s)\/\*\*?([\s\S]*?)\*\//g)) {
    const text = (match[1] ?? "")
      .replace(/^\s*\*? ?/gm, "")
      .replace(/\s+/g, " ")
      .trim();
    found.push({ line: lineAt(match.index), text });
  }
  for (const match of source.matchAll(/(?:(?<=^[ \t]*)|(?<=\s))\/\/ (.*(?:\n[ \t]*\/\/ .*)*)/gm)) {
    const text = (match[1] ?? "").replace(/\n[ \t]*\/\/ /g, " ").trim();
    if (!/^(biome-ignore|@ts-|#)/.test(text)) found.push({ line: lineAt(match.index), text });
  }
  return found;
}
