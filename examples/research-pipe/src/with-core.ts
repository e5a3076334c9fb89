// A pipe without a framework, and without a model.
import { type Host, type JsonObject, type PipeResult, parsePipe, runPipe } from "@toolrail/core";

/**
 * Checks the whole spec, then runs it. `vars` stand in for those of the spec. A spec that is wrong
 * throws here, with everything that is wrong with it, and nothing has been called.
 */
export function runInCore(host: Host, spec: string, vars: JsonObject): Promise<PipeResult> {
  const pipe = parsePipe(spec, host);
  return runPipe(pipe, host, { vars });
}
