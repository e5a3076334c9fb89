import { execFileSync } from "node:child_process";

/** Installs the dependencies of a folder's manifest, or these packages. */
export function npmInstall(cwd: string, packages: readonly string[] = []): void {
  const args = ["install", "--no-audit", "--no-fund", "--loglevel=error", ...packages];
  execFileSync("npm", args, { cwd, stdio: "inherit", shell: process.platform === "win32" });
}
