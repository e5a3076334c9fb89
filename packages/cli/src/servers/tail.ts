/** The end of a text that may be long. */
export interface Tail {
  add(text: string): void;
  text(): string;
}

const MAX_LENGTH = 4_096;

/** Keeps the last 4,096 characters. */
export function createTail(): Tail {
  let kept = "";
  return {
    add(text) {
      kept = (kept + text).slice(-MAX_LENGTH);
    },
    text: () => kept.trim(),
  };
}
