import type { ToolOutput } from "./tool-output.ts";

/** Yields the outputs that a call reports, and then its result. A newer output replaces progress that was not read yet. */
export async function* streamOutputs(
  make: (report: (output: ToolOutput) => void) => Promise<ToolOutput>,
): AsyncGenerator<ToolOutput, void, undefined> {
  const queue: ToolOutput[] = [];
  let isOver = false;
  let wake = () => {};
  const last = make((output) => {
    if (queue.at(-1)?.progress) queue.pop();
    queue.push(output);
    wake();
  });
  const end = () => {
    isOver = true;
    wake();
  };
  last.then(end, end);
  while (!isOver || queue.length > 0) {
    const output = queue.shift();
    if (output) yield output;
    else
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
  }
  yield await last;
}
