import type { ChainResult } from "../result/chain-result.ts";
import type { Hop } from "../result/hop.ts";
import type { OnHop } from "./run-chain.ts";

/** Yields the hops of a run. It starts with the first request for a hop, continues with each further request, and ends without one. */
export async function* streamHops(
  run: (onHop: OnHop) => Promise<ChainResult>,
): AsyncGenerator<Hop, ChainResult, undefined> {
  let hop: Hop | undefined;
  let wake = () => {};
  let proceed = () => {};
  let stop = (_cause: unknown) => {};
  const chain = run((made) => {
    hop = made;
    wake();
    return new Promise((resolve, reject) => {
      proceed = resolve;
      stop = reject;
    });
  });
  const over = chain.then(
    () => {},
    () => {},
  );
  try {
    for (;;) {
      const arrived = new Promise<void>((resolve) => {
        wake = resolve;
      });
      if (!hop) await Promise.race([over, arrived]);
      if (!hop) return await chain;
      const finished = hop;
      hop = undefined;
      yield finished;
      proceed();
    }
  } finally {
    stop(new Error("No further hops are asked for."));
  }
}
