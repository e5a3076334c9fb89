import { setImmediate } from "node:timers/promises";
import type { McpPort } from "@toolrail/core";

/** Counts how often somebody had to wait for the server: calls that are under way together are one round. */
export interface Rounds {
  readonly port: McpPort;
  /** The rounds since it was asked last. */
  take(): number;
}

/** Holds calls until no more come, then makes all of them as one round. */
export function countRounds(port: McpPort): Rounds {
  let rounds = 0;
  let gathering: Promise<void> | undefined;
  const gather = async () => {
    // A pipe starts the steps that are ready within a few turns of the event loop.
    for (let turn = 0; turn < 10; turn++) await setImmediate();
    rounds++;
    gathering = undefined;
  };
  return {
    port: {
      ...port,
      async call(request, options) {
        gathering ??= gather();
        await gathering;
        return port.call(request, options);
      },
    },
    take() {
      const taken = rounds;
      rounds = 0;
      return taken;
    },
  };
}
