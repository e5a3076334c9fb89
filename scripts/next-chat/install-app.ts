import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { packAll } from "../pack-all.ts";

const SOURCE = join(import.meta.dirname, "../../examples/next-chat");

/** A copy of the example beside the repository, with the packed packages installed as a user has them. */
export function installApp(): string {
  const folder = mkdtempSync(join(tmpdir(), "next-chat-"));
  const app = join(folder, "app");
  const isSource = (path: string) => !/[\\/](node_modules|\.next)$/.test(path);
  cpSync(SOURCE, app, { recursive: true, filter: isSource });
  const manifest = JSON.parse(readFileSync(join(app, "package.json"), "utf8"));
  for (const { name, tarball } of packAll(folder)) {
    if (manifest.dependencies[name]) manifest.dependencies[name] = `file:${tarball}`;
  }
  writeFileSync(join(app, "package.json"), JSON.stringify(manifest));
  const install = ["install", "--no-audit", "--no-fund", "--loglevel=error"];
  execFileSync("npm", install, { cwd: app, stdio: "inherit" });
  return app;
}
