// A pipe without a framework, and without a model.
import type { Host } from "@toolrail/core";
import type { JsonObject } from "@toolrail/core/json";
import { type PipeResult, parsePipe, runPipe } from "@toolrail/core/pipe";

/**
 * Checks the whole spec, then runs it. `vars` replace those of the spec. An invalid spec throws an error with all of its
 * problems before any call.
 */
export function runInCore(host: Host, spec: string, vars: JsonObject): Promise<PipeResult> {
  const pipe = parsePipe(host, { spec });
  return runPipe(host, { spec: pipe, vars });
}
