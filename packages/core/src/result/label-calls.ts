/** One of several calls that a model reads as one result. */
export interface ToldCall<Part> {
  /** The name of its tool, as the model knows it. */
  readonly name: string;
  /** False for a call that was not made: its parts say so. `undefined` where nothing shows whether it was. */
  readonly isMade: boolean | undefined;
  readonly parts: readonly Part[];
}

interface Label {
  readonly type: "text";
  readonly text: string;
}

/**
 * What a model reads of these calls, each result after the name of its tool. Where only one has a result, there is no
 * name, and a call counts as made only if it was.
 */
export function labelCalls<Part>(calls: readonly ToldCall<Part>[]): (Part | Label)[] {
  const answered = calls.filter(({ isMade }) => isMade !== false);
  const told: (Part | Label)[] = [];
  for (const call of calls) {
    const { name, isMade, parts } = call;
    if (answered.length > 1 && isMade !== false) {
      const isFurther = isMade && call !== answered[0];
      told.push({ type: "text", text: isFurther ? `Then ${name} was called:` : `${name}:` });
    }
    for (const part of parts) told.push(part);
  }
  return told;
}
