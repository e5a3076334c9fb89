import { cpSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { npmInstall } from "./npm-install.ts";
import { packAll } from "./pack-all.ts";

interface Manifest {
  readonly dependencies: Record<string, string>;
  overrides?: Record<string, string>;
}

/** A copy of an example beside the repository, with the packed packages installed as a user has them. */
export function installExample(name: string): string {
  const source = join(import.meta.dirname, "../examples", name);
  const app = join(mkdtempSync(join(tmpdir(), `${name}-`)), "app");
  const isSource = (path: string) => !/[\\/](node_modules|\.next)$/.test(path);
  cpSync(source, app, { recursive: true, filter: isSource });
  installPacked(app, JSON.parse(readFileSync(join(app, "package.json"), "utf8")));
  return app;
}

/** Installs the dependencies of a manifest, with the packed packages in place of ours. The tarballs are beside the folder. */
export function installPacked(app: string, manifest: Manifest): void {
  // Packages of ours that it does not name itself are needed by those that it does.
  manifest.overrides = {};
  for (const { name, tarball } of packAll(dirname(app))) {
    const where = manifest.dependencies[name] ? manifest.dependencies : manifest.overrides;
    where[name] = `file:${tarball}`;
  }
  writeFileSync(join(app, "package.json"), JSON.stringify(manifest));
  npmInstall(app);
}
