import { ToolrailError } from "@toolrail/core";
import { canonicalJson, sha256 } from "@toolrail/core/adapter";
import type { PipeEngine } from "./pipe-engine.ts";
import type { PipeState } from "./pipe-state.ts";

/** The same for the same spec in every process, and for no other spec. */
export function versionOf({ pipe }: Pick<PipeEngine, "pipe">): Promise<string> {
  return sha256(canonicalJson(pipe));
}

/** Throws `denied` where a thread began with another spec: its steps would be taken for those of this one. */
export async function checkVersion(engine: PipeEngine, { run }: PipeState): Promise<void> {
  if (!run || run.spec === (await engine.version)) return;
  const message =
    "The pipe was not continued: this thread began with another version of its spec. Continue with that version, " +
    "which may be served next to this one, or start a new run.";
  throw new ToolrailError("denied", message);
}
