// Packs each public package as a registry would get it.
import { execFileSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";

const ROOT = join(import.meta.dirname, "..");

/** A packed package, and the frameworks that its `package.json` works with. */
export interface Packed {
  readonly name: string;
  readonly tarball: string;
  readonly peers: Readonly<Record<string, string>>;
}

interface Manifest {
  readonly name: string;
  readonly private?: boolean;
  readonly peerDependencies?: Record<string, string>;
}

/** Packs all public packages into a folder. They must be built. */
export function packAll(folder: string): Packed[] {
  return globSync("packages/*/package.json", { cwd: ROOT }).flatMap((path) => {
    const directory = basename(dirname(path));
    const cwd = join(ROOT, dirname(path));
    const manifest: Manifest = JSON.parse(readFileSync(join(cwd, "package.json"), "utf8"));
    if (manifest.private) return [];
    const tarball = join(folder, `${directory}.tgz`);
    execFileSync("npx", ["-y", "pnpm@12.21.0", "pack", "--out", tarball], {
      cwd,
      stdio: ["ignore", "ignore", "inherit"],
      shell: process.platform === "win32",
    });
    return { name: manifest.name, tarball, peers: manifest.peerDependencies ?? {} };
  });
}
