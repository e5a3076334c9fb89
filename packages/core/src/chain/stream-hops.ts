import type { ChainResult } from "../result/chain-result.ts";
import type { Hop } from "../result/hop.ts";
import type { OnHop } from "./run-chain.ts";

/** Yields the hops of a run. It begins when the first is asked for, goes on when the next is, and ends if no more are. */
export async function* streamHops(
  run: (onHop: OnHop) => Promise<ChainResult>,
): AsyncGenerator<Hop, ChainResult, undefined> {
  let hop: Hop | undefined;
  let wake = () => {};
  let goOn = () => {};
  let stop = (_cause: unknown) => {};
  const chain = run((made) => {
    hop = made;
    wake();
    return new Promise((resolve, reject) => {
      goOn = resolve;
      stop = reject;
    });
  });
  const over = chain.then(
    () => {},
    () => {},
  );
  try {
    for (;;) {
      const told = new Promise<void>((resolve) => {
        wake = resolve;
      });
      if (!hop) await Promise.race([over, told]);
      if (!hop) return await chain;
      const made = hop;
      hop = undefined;
      yield made;
      goOn();
    }
  } finally {
    stop(new Error("No further hops are asked for."));
  }
}
