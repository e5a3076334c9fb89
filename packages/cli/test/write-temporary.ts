import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Writes a file into a new folder and returns its path. A value that is no text is written as JSON. */
export function writeTemporary(name: string, content: unknown): string {
  const file = join(mkdtempSync(join(tmpdir(), "toolrail-")), name);
  writeFileSync(file, typeof content === "string" ? content : JSON.stringify(content));
  return file;
}
