import { ToolrailError } from "@toolrail/core";
import type { PipeResult } from "@toolrail/core/pipe";
import { compilePipe } from "@toolrail/langgraph/pipe";
import { type GraphRun, runToEnd } from "../graph/run-to-end.ts";
import { createLedger, type Ledger, type MadeCall } from "../world/ledger.ts";
import { openWorld } from "../world/open-world.ts";
import type { PipeCase, PipeEnd } from "./pipe-case.ts";

export interface CompiledRun extends GraphRun {
  readonly onCall?: (call: MadeCall) => void;
  readonly ledger?: Ledger;
}

/** The compiled graph of a pipe, with a checkpointer. */
export async function runInAGraph(given: PipeCase, run: CompiledRun = {}): Promise<PipeEnd> {
  const { world, spec, vars, limits } = given;
  const { ledger = createLedger(), onCall, ...rest } = run;
  try {
    const result = await runToEnd({
      ...rest,
      ledger,
      input: { vars },
      async build(life) {
        const host = await openWorld(world, { ledger, life, ...(onCall && { onCall }) });
        return {
          host,
          graph: compilePipe(host, {
            spec,
            limits,
            checkpointer: life.saver,
          }),
        };
      },
    });
    return { ledger, result: result as PipeResult };
  } catch (error) {
    if (!ToolrailError.isInstance(error, "invalid-pipe")) throw error;
    return { ledger, result: undefined, refusal: error.message };
  }
}

/** The same without a checkpointer, so that nobody can be waited for. */
export async function runInABareGraph({ world, spec, vars, limits }: PipeCase): Promise<PipeEnd> {
  const ledger = createLedger();
  const host = await openWorld(world, { ledger });
  try {
    const graph = compilePipe(host, { spec, limits });
    return { ledger, result: (await graph.invoke({ vars })) as PipeResult };
  } catch (error) {
    if (!ToolrailError.isInstance(error, "invalid-pipe")) throw error;
    return { ledger, result: undefined, refusal: error.message };
  }
}
