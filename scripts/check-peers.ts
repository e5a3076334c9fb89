// Installs the packed packages beside the lowest and the newest peers that they declare, and runs a chain
// through each adapter there, on each supported Node. Prints a table of the versions that were run.
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { npmInstall } from "./npm-install.ts";
import { type Packed, packAll } from "./pack-all.ts";

/** The packages that the peers need besides. */
const BESIDE = { zod: "^4.2.0" };

/** The versions of Node to try, besides the one that runs this script. */
const NODES = ["20", "22", "24"];

const folder = mkdtempSync(join(tmpdir(), "peers-"));
const packed = packAll(folder);
const ranges: Record<string, string> = Object.assign({}, BESIDE, ...packed.map((p) => p.peers));
const peers = Object.entries(ranges).filter(([name]) => !name.startsWith("@toolrail/"));
const majors = Math.max(...peers.map(([, range]) => range.split("||").length));

const nodes = [...NODES.map(installNode), process.execPath];

for (let major = 0; major < majors; major++) {
  for (const edge of ["lowest", "newest"] as const) tryPeers(`${edge}-${major + 1}`, major, edge);
}

function tryPeers(name: string, major: number, edge: "lowest" | "newest"): void {
  const wanted = peers.map(([peer, range]) => {
    const alternatives = range.split("||").map((part) => part.trim());
    const part = alternatives[Math.min(major, alternatives.length - 1)] ?? range;
    return [peer, edge === "lowest" ? part.replace(/^[\^~]|^>=/, "") : part] as const;
  });
  const app = join(folder, name);
  mkdirSync(app);
  writeFileSync(join(app, "package.json"), JSON.stringify(toManifest(packed, wanted)));
  npmInstall(app);
  copyFileSync(join(import.meta.dirname, "pack-consumer.mjs"), join(app, "main.mjs"));
  console.log(`\n${edge} peers:`);
  for (const [peer] of wanted) console.log(`  ${peer.padEnd(30)} ${versionOf(app, peer)}`);
  for (const node of nodes) {
    console.log(`  Node ${execFileSync(node, ["--version"], { encoding: "utf8" }).trim()}`);
    execFileSync(node, ["main.mjs"], { cwd: app, stdio: "inherit" });
  }
  checkTypes(app);
  const command = join(app, "node_modules/@toolrail/cli/dist/bin.js");
  const help = execFileSync(process.execPath, [command, "--help"], { encoding: "utf8" });
  console.log(`  ${help.split("\n")[0]}`);
}

/** Fails if a type of ours cannot be named in the declarations that a user of the packages writes. */
function checkTypes(app: string): void {
  const options = { strict: true, module: "nodenext", target: "es2023", declaration: true };
  const types = { lib: ["es2024", "dom"], types: [], skipLibCheck: true, outDir: "out" };
  const compilerOptions = { ...options, ...types, rootDir: "." };
  const files = ["pack-consumer-types.ts"];
  copyFileSync(join(import.meta.dirname, files[0] ?? ""), join(app, files[0] ?? ""));
  writeFileSync(join(app, "tsconfig.json"), JSON.stringify({ compilerOptions, files }));
  const compiler = join(import.meta.dirname, "../node_modules/typescript/bin/tsc");
  execFileSync(process.execPath, [compiler, "-p", "."], { cwd: app, stdio: "inherit" });
  console.log("  declarations are written");
}

/** Installs the newest version of a major of Node, for the platform that this runs on. */
function installNode(major: string): string {
  const { platform, arch } = process;
  const name = platform === "win32" ? "win" : platform;
  const bin = name === "darwin" && arch === "arm64" ? "node-bin" : "node";
  const app = join(folder, `node-${major}`);
  mkdirSync(app);
  writeFileSync(join(app, "package.json"), JSON.stringify({ private: true }));
  const build = `${bin}-${name}-${arch}`;
  npmInstall(app, [`${build}@${major}`]);
  return join(app, "node_modules", build, "bin", platform === "win32" ? "node.exe" : "node");
}

function toManifest(all: readonly Packed[], wanted: readonly (readonly [string, string])[]) {
  const own = all.map(({ name, tarball }) => [name, `file:${tarball}`] as const);
  const dependencies = Object.fromEntries([...own, ...wanted]);
  return { name: "consumer", private: true, type: "module", dependencies };
}

function versionOf(app: string, peer: string): string {
  return JSON.parse(readFileSync(join(app, "node_modules", peer, "package.json"), "utf8")).version;
}
