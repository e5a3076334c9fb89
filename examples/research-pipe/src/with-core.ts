// A pipe without a framework, and without a model.
import type { Host } from "@toolrail/core";
import type { JsonObject } from "@toolrail/json";
import { type PipeResult, parsePipe, runPipe } from "@toolrail/pipe";

/**
 * Checks the whole spec, then runs it. `vars` stand in for those of the spec. A spec that is wrong
 * throws here, with everything that is wrong with it, and nothing has been called.
 */
export function runInCore(host: Host, spec: string, vars: JsonObject): Promise<PipeResult> {
  const pipe = parsePipe(host, { spec });
  return runPipe(host, { spec: pipe, vars });
}
