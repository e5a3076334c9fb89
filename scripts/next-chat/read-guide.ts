// The page on Next.js as an application: its files, and the packages that its reader is to install.
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";

const ROOT = join(import.meta.dirname, "../..");

/** The whole files of docs/nextjs.md by their paths, and the names of the packages in its commands. */
export function readGuide() {
  const page = readFileSync(join(ROOT, "docs/nextjs.md"), "utf8");
  const blocks = [...page.matchAll(/^```tsx?\n\/\/ (\S+)\n(.*?)^```/gms)];
  const files = Object.fromEntries(blocks.map(([, path = "", code = ""]) => [path, code]));
  const commands = [...page.matchAll(/^npm install (.+)$/gm)].map(([, names = ""]) => names);
  const packages = commands
    .flatMap((names) => names.split(" "))
    .filter((name) => /^@?\w/.test(name));
  return { files, packages };
}

/** Writes the page's files into an empty folder. The versions of packages are those of examples/next-chat, if it has them. */
export function pasteGuide() {
  const { files, packages } = readGuide();
  const app = join(mkdtempSync(join(tmpdir(), "next-guide-")), "app");
  for (const [path, code] of Object.entries(files)) {
    mkdirSync(dirname(join(app, path)), { recursive: true });
    writeFileSync(join(app, path), code);
  }
  const example = readFileSync(join(ROOT, "examples/next-chat/package.json"), "utf8");
  const { dependencies, devDependencies } = JSON.parse(example);
  const known: Record<string, string> = { ...dependencies, ...devDependencies };
  const versions = packages.map((name) => [name, known[name] ?? "latest"]);
  const manifest = { type: "module", dependencies: Object.fromEntries(versions) };
  return { app, manifest };
}
