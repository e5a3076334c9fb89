import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const run = promisify(execFile);

/** What a file of the example prints, run as its first line says. Rejects unless it exits with 0. */
export async function outputOf(file: string): Promise<string> {
  const path = fileURLToPath(new URL(`../src/${file}`, import.meta.url));
  const { stdout } = await run(process.execPath, ["--conditions=@toolrail/source", path]);
  return stdout;
}
