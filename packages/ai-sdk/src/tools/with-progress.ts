import type { Progress } from "@toolrail/core";
import { plainText } from "@toolrail/core/adapter";

const MAX_MESSAGE = 1_000;

/** Yields what shows the progress of work, and returns what it comes to. What is told faster than it is taken is passed over. */
export async function* withProgress<Result, Shown>(
  work: (onProgress: (progress: Progress) => void) => Promise<Result>,
  show: (progress: Progress) => Shown,
): AsyncGenerator<Shown, Result, undefined> {
  let latest: Progress | undefined;
  let wake = () => {};
  let isOver = false;
  const working = work((told) => {
    latest = told;
    wake();
  });
  const end = () => {
    isOver = true;
    wake();
  };
  working.then(end, end);
  while (!isOver) {
    if (!latest) {
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
    if (isOver || !latest) break;
    const { progress, total, message } = latest;
    latest = undefined;
    const text = message === undefined ? undefined : plainText(message.slice(0, MAX_MESSAGE));
    yield show({ progress, ...(total !== undefined && { total }), ...(text && { message: text }) });
  }
  return working;
}
