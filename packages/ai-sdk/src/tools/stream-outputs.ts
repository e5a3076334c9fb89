import type { ToolOutput } from "./tool-output.ts";

/**
 * Yields what a call tells of itself while it is made, and then what it comes to. Progress that nobody has taken
 * when something else is told is passed over.
 */
export async function* streamOutputs(
  make: (tell: (output: ToolOutput) => void) => Promise<ToolOutput>,
): AsyncGenerator<ToolOutput, void, undefined> {
  const told: ToolOutput[] = [];
  let isOver = false;
  let wake = () => {};
  const last = make((output) => {
    if (told.at(-1)?.progress) told.pop();
    told.push(output);
    wake();
  });
  const end = () => {
    isOver = true;
    wake();
  };
  last.then(end, end);
  while (!isOver || told.length > 0) {
    const output = told.shift();
    if (output) yield output;
    else
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
  }
  yield await last;
}
