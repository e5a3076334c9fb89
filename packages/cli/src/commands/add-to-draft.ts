import { existsSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import type { Hop, Host } from "@toolrail/core";
import { isHop } from "@toolrail/core/adapter";
import { draftPipe, type PipeDraft } from "@toolrail/core/pipe";
import { readJsonFile, whyNoFile } from "../read-input.ts";
import { UsageError } from "../usage-error.ts";

/**
 * Drafts a pipe of the calls that were recorded beside `file`, as `FILE.hops.json`, and of those given, and writes both
 * files anew: from command to command the draft grows. Throws `UsageError` where one cannot be read or written.
 */
export async function addToDraft(
  file: string,
  { hops, host }: { readonly hops: readonly Hop[]; readonly host: Host },
): Promise<PipeDraft["notes"]> {
  const record = `${file}.hops.json`;
  const { hops: before } = existsSync(record)
    ? await readJsonFile(record, "--draft")
    : { hops: [] };
  if (!Array.isArray(before) || !before.every(isHop)) {
    throw new UsageError(`${record} contains no recorded calls. Give --draft a new file.`);
  }
  const all = { hops: [...before, ...hops] };
  const { spec, notes } = draftPipe(all.hops, { tools: host.tools });
  try {
    await writeFile(record, `${JSON.stringify(all)}\n`);
    await writeFile(file, `${JSON.stringify(spec, null, 2)}\n`);
  } catch (cause) {
    throw new UsageError(`--draft ${file} cannot be written: ${whyNoFile(cause)}.`, { cause });
  }
  return notes;
}
