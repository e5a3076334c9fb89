import { globSync, readFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";

const ROOT = join(import.meta.dirname, "../..");

/** What an application imports, such as `@toolrail/pipe`, and the file that it is made from. */
export interface PublicEntry {
  readonly name: string;
  readonly file: string;
}

interface Manifest {
  readonly name: string;
  readonly exports: Readonly<Record<string, string | Readonly<Record<string, string>>>>;
}

/** What Toolrail's own packages share: no reader of the reference imports it, and it may change in any release. */
const INTERNAL = [
  ...["@toolrail/core/internal", "@toolrail/core/plugin"],
  ...["@toolrail/pipe/engine", "@toolrail/guard/adapter"],
];

/** The public entries of all packages. The core stands first, so that what others export of it is described there. */
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
    if (source === undefined || INTERNAL.includes(entry)) return [];
    return { name: entry, file: join(ROOT, dirname(manifest), source) };
  });
}
