import { globSync, readFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";

const ROOT = join(import.meta.dirname, "../..");

/** An entry as an application imports it, such as `@toolrail/core/pipe`, and its source file. */
export interface PublicEntry {
  readonly name: string;
  readonly file: string;
}

interface Manifest {
  readonly name: string;
  readonly exports: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
}

/** The public entries of all packages. The core is first, so that its names that other packages export are described there. */
export function publicEntries(): PublicEntry[] {
  const manifests = globSync("packages/*/package.json", { cwd: ROOT }).sort();
  const isOfCore = ({ name }: PublicEntry) => name.startsWith("@toolrail/core");
  return manifests.flatMap(entriesOf).sort((a, b) => Number(isOfCore(b)) - Number(isOfCore(a)));
}

function entriesOf(manifest: string): PublicEntry[] {
  const text = readFileSync(join(ROOT, manifest), "utf8");
  const { name, exports }: Manifest = JSON.parse(text);
  return Object.entries(exports).flatMap(([path, targets]) => {
    const source = typeof targets === "string" ? undefined : targets["@toolrail/source"];
    const entry = posix.join(name, path);
    if (source === undefined) return [];
    return { name: entry, file: join(ROOT, dirname(manifest), source) };
  });
}
