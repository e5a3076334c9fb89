import { isJsonObject } from "@toolrail/core/adapter";
import { readJsonFile } from "../read-input.ts";
import { UsageError } from "../usage-error.ts";
import { type Finding, findingKey } from "./finding.ts";

/** Reads the keys of what `toolrail check --json` found earlier. Throws `UsageError`. */
export async function readBaseline(file: string): Promise<ReadonlySet<string>> {
  const { findings } = await readJsonFile(file, "--baseline");
  if (Array.isArray(findings) && findings.every(isFinding)) {
    return new Set(findings.map(findingKey));
  }
  throw new UsageError(`--baseline ${file} is not what "toolrail check --json" writes.`);
}

function isFinding(value: unknown): value is Finding {
  if (!isJsonObject(value)) return false;
  const { severity, server, rule, path } = value;
  return [severity, server, rule, path].every((text) => typeof text === "string");
}
