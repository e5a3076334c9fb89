import type { Host } from "@toolrail/core";
import { type RunPipeOptions, runPipe } from "@toolrail/core/pipe";
import { createLedger, type Ledger, type MadeCall } from "../world/ledger.ts";
import { openWorld } from "../world/open-world.ts";
import { askThePerson } from "../world/policy.ts";
import type { PipeCase, PipeEnd } from "./pipe-case.ts";

export interface CoreRun {
  readonly author?: RunPipeOptions["author"];
  /** True waits in place for the person's word on each call that needs one. */
  readonly hasPerson: boolean;
  readonly signal?: AbortSignal;
  readonly onCall?: (call: MadeCall) => void;
  readonly ledger?: Ledger;
}

/** The core's own runner, which all others are compared with. */
export async function runInTheCore(
  { world, spec, vars, limits }: PipeCase,
  { hasPerson, ledger = createLedger(), onCall, ...options }: CoreRun,
): Promise<PipeEnd> {
  const host = await openWorld(world, { ledger, ...(onCall && { onCall }) });
  const result = await runPipe(hasPerson ? waitInPlace(host, ledger) : host, {
    spec,
    limits,
    ...(options.author !== "model" && { vars }),
    ...options,
  });
  return result.problems
    ? { ledger, result: undefined, refusal: result.error }
    : { ledger, result };
}

const MOST_PAUSES = 20;

/** The same host, where each call that waits is answered at once. */
function waitInPlace(host: Host, ledger: Ledger): Host {
  const run: Host["run"] = async (request, options) => {
    let chain = await host.run(request, options);
    for (let pauses = 0; chain.ended === "needs-approval" && chain.pending; pauses++) {
      if (pauses > MOST_PAUSES) throw new Error("The step waits again and again.");
      chain = await host.resume(chain, askThePerson(ledger, chain.pending), options);
    }
    return chain;
  };
  return Object.create(host, { run: { value: run } });
}
