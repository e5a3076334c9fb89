/** One of several calls whose results a model reads as one. */
export interface CallToLabel<Part> {
  /** The name of the tool for models. */
  readonly name: string;
  /** False if the call was not made, which its parts explain. `undefined` if this is unknown. */
  readonly isMade: boolean | undefined;
  readonly parts: readonly Part[];
}

interface Label {
  readonly type: "text";
  readonly text: string;
}

/** Joins the parts of calls for a model, each after the name of its tool, unless only one call has a result. */
export function labelCalls<Part>(calls: readonly CallToLabel<Part>[]): (Part | Label)[] {
  const answered = calls.filter(({ isMade }) => isMade !== false);
  const labelled: (Part | Label)[] = [];
  for (const call of calls) {
    const { name, isMade, parts } = call;
    if (answered.length > 1 && isMade !== false) {
      const isFurther = isMade && call !== answered[0];
      labelled.push({ type: "text", text: isFurther ? `Then ${name} was called:` : `${name}:` });
    }
    for (const part of parts) labelled.push(part);
  }
  return labelled;
}
