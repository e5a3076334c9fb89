const NAMES = ["Ada", "Ben", "Chen", "Dora", "Emre", "Farid", "Greta", "Hugo", "Ines", "Jonas"];
const TOWNS = ["Bern", "Lagos", "Porto", "Riga", "Seoul", "Turin", "Ulm", "Quito", "Oslo"];
const FELT = [
  "enjoyed",
  "printed",
  "translated",
  "shared",
  "doubted",
  "copied",
  "underlined",
  "read",
];
const PARTS = ["the opening", "the last paragraph", "every line", "the second half", "the title"];
const WISHES = [
  "A picture would help readers who are new to this.",
  "Please keep the page short, and put the history elsewhere.",
  "My colleagues asked for a version that can be printed on one sheet.",
  "There is a full stop missing near the end, I think.",
  "We talked about it over lunch and did not agree, which was fun.",
  "I shall write again when the next edition is out.",
  "Could the examples be sorted by length?",
];

/**
 * Letters from readers, about `bytes` long: the talk under an article, which answers no question. The
 * same page has the same letters each time.
 */
export function lettersFrom(page: string, bytes: number): string {
  let text = "\n## Letters from readers\n";
  let seed = [...page].reduce((sum, char) => sum + (char.codePointAt(0) ?? 0), 0);
  const pick = (list: readonly string[]) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return list[Math.floor((seed / 2_147_483_648) * list.length)];
  };
  for (let letter = 1; text.length < bytes; letter++) {
    text += `\n${letter}. I ${pick(FELT)} ${pick(PARTS)}, and then ${pick(FELT)} ${pick(PARTS)}. `;
    text += `${pick(WISHES)} ${pick(WISHES)} ${pick(NAMES)}, ${pick(TOWNS)}\n`;
  }
  return text.slice(0, Math.max(bytes, 0));
}
