import { isJsonObject } from "@toolrail/core";
import { readJsonFile } from "../read-input.ts";
import { UsageError } from "../usage-error.ts";
import { type Finding, findingKey } from "./finding.ts";

/** The findings that were there before, by key. */
export type Baseline = ReadonlySet<string>;

/** Reads what `toolrail check --json` wrote earlier. Throws `UsageError`. */
export async function readBaseline(file: string): Promise<Baseline> {
  const document = await readJsonFile(file, "--baseline");
  const findings = isJsonObject(document) ? document.findings : undefined;
  if (!Array.isArray(findings) || !findings.every(isFinding)) {
    throw new UsageError(`--baseline ${file} is not what "toolrail check --json" writes.`);
  }
  return new Set(findings.map(findingKey));
}

function isFinding(value: unknown): value is Finding {
  if (!isJsonObject(value)) return false;
  const { severity, server, rule, path } = value;
  return [severity, server, rule, path].every((text) => typeof text === "string");
}
