const MOST = 3;

/** The passages in which most words of the question occur, best first, those without any left out. */
export function keyPassages(question: string, text: string): string[] {
  const asked = [...new Set(wordsOf(question))];
  return text
    .split(/\n\s*\n/)
    .map((passage) => passage.trim())
    .filter((passage) => !passage.startsWith("#"))
    .map((passage) => {
      const words = new Set(wordsOf(passage));
      return { passage, score: asked.filter((word) => words.has(word)).length };
    })
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score)
    .slice(0, MOST)
    .map(({ passage }) => passage);
}

/** The words of a text in lower case, each as often as it occurs. */
export function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}
